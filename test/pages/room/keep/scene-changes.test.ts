import { describe, expect, test } from 'vitest';
import type { Roster } from '../../../../src/core/room/messages.ts';
import type { SavedWorld } from '../../../../src/core/wire/files/saved-world.ts';
import type { LevelReason, LevelReference } from '../../../../src/core/world/level-reference.ts';
import { SceneChanges } from '../../../../src/pages/room/keep/scene-changes.ts';
import type { NewsOffer } from '../../../../src/pages/room/news/news-list.ts';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { Profile } from '../../../../src/core/room/profile.ts';
import type { Hosting, SessionStatus } from '../../../../src/session/session.ts';
import { chooseLevel } from '../../../../src/levels/levels.ts';

const TOWER: LevelReference = chooseLevel({ id: 'tower', seed: 1 });
const WALL: LevelReference = chooseLevel({ id: 'wall', seed: 2 });

/** A page in a room: what it does with its worlds is written down. */
class RoomDouble {
  readonly said: string[] = [];
  readonly offers: NewsOffer[] = [];
  /** The offers on the screen. */
  readonly open = new Set<NewsOffer>();
  /** The commands of the host. */
  readonly done: string[] = [];
  world = worldOf(TOWER);
  status: SessionStatus = { kind: 'here' };
  isHost = true;
  roster = { host: 0, players: [{ slot: 0, name: 'Ada' }] } as unknown as Roster;
  readonly slot = 1 as Slot;
  readonly profiles: Partial<Profile>[] = [];

  readonly #commands: Pick<Hosting, 'reset' | 'setScene'> = {
    reset: () => {
      this.done.push('reset');
      this.world.isWorthKeeping = false;
      this.world.peer.diagnostics.events.counts.reset++;
    },
    setScene: (scene, saved, why) => {
      const from = saved === undefined ? scene.id : `${saved.level.id} of ${saved.savedAt}`;
      this.done.push(why === undefined ? from : `${from}, ${why}`);
      this.world = worldOf(chooseLevel(scene));
      if (saved !== undefined) this.touch(saved.savedAt);
    },
  };

  readonly changes = new SceneChanges(this, {
    say: (sentence) => this.said.push(sentence),
    offer: (offer) => {
      this.offers.push(offer);
      this.open.add(offer);
      return () => void this.open.delete(offer);
    },
  });

  get hosting(): Hosting | null {
    return this.isHost ? (this.#commands as Hosting) : null;
  }

  setProfile(change: Partial<Profile>): void {
    this.profiles.push(change);
  }

  /** Somebody has touched a cube. */
  touch(savedAt: number): void {
    this.world.isWorthKeeping = true;
    this.world.peer.saveWorld = () => ({ level: this.world.choice, savedAt }) as unknown as SavedWorld;
  }

  tick(count = 1): void {
    for (let i = 0; i < count; i++) this.changes.tick(this.world);
  }
}

function worldOf(choice: LevelReference, why: LevelReason = 'choice') {
  const saveWorld = (): SavedWorld => {
    throw new Error('nothing is worth keeping');
  };
  const diagnostics = { events: { counts: { reset: 0 } } };
  return { choice, why, isWorthKeeping: false, peer: { saveWorld, diagnostics } };
}

function guest(): RoomDouble {
  const room = new RoomDouble();
  room.isHost = false;
  room.tick();
  return room;
}

describe('a host', () => {
  test('brings back for a minute what its reset has wiped', () => {
    const room = new RoomDouble();
    room.touch(7);
    room.changes.reset();
    const [offer] = room.open;
    expect(offer).toMatchObject({ sentence: 'You reset the scene.', button: 'Bring back', seconds: 60 });
    offer.act();
    expect(room.done).toEqual(['reset', 'tower of 7, return']);
  });

  test('brings back what was there before another scene, or a file', () => {
    const room = new RoomDouble();
    room.touch(7);
    room.changes.start(WALL);
    expect([...room.open].map(({ sentence }) => sentence)).toEqual(['You started the wall.']);
    room.touch(8);
    room.changes.open({ level: TOWER, savedAt: 3 } as unknown as SavedWorld);
    const [offer, ...others] = room.open;
    expect(offer.sentence).toBe('You opened the file.');
    expect(others).toEqual([]);
    offer.act();
    expect(room.done).toEqual(['wall', 'tower of 3', 'wall of 8, return']);
  });

  test('is offered nothing where nobody had touched a cube', () => {
    const room = new RoomDouble();
    room.changes.reset();
    expect([room.said, room.offers]).toEqual([['You reset the scene.'], []]);
  });

  test('can take back the bringing back, too', () => {
    const room = new RoomDouble();
    room.touch(7);
    room.changes.reset();
    room.touch(9);
    room.offers[0].act();
    expect([...room.open].map(({ sentence }) => sentence)).toEqual(['You brought the scene back.']);
    room.offers[1].act();
    expect(room.done).toEqual(['reset', 'tower of 7, return', 'tower of 9, return']);
  });

  test('is no longer offered it once another player is host, and reads no news of its own deeds', () => {
    const room = new RoomDouble();
    room.tick();
    room.touch(7);
    room.changes.reset();
    room.tick();
    expect(room.open.size).toBe(1);
    room.isHost = false;
    room.tick();
    expect(room.open.size).toBe(0);
    room.offers[0].act();
    expect(room.done).toEqual(['reset']);
    expect(room.said).toEqual([]);
  });
});

describe('a guest', () => {
  test('[N1.6] of a server says that it wants a reset, and that of a player changes nothing', () => {
    const room = guest();
    room.changes.reset();
    expect([room.profiles, room.changes.resetState]).toEqual([[], null]);
    room.roster = { ...room.roster, host: DEDICATED_SLOT as Slot };
    room.changes.reset();
    expect(room.profiles).toEqual([{ wantsReset: true }]);
    room.world.peer.diagnostics.events.counts.reset++;
    room.tick();
    expect(room.profiles).toEqual([{ wantsReset: true }, { wantsReset: undefined }]);
    expect(room.said.at(-1)).toBe('The server reset the scene.');
  });

  test('[B1.5] reads what the host does', () => {
    const room = guest();
    const hasWorld = (choice: LevelReference, why: LevelReason): void => {
      room.world = worldOf(choice, why);
      room.tick(10);
    };
    room.world.peer.diagnostics.events.counts.reset++;
    room.tick();
    hasWorld(TOWER, 'return');
    hasWorld(WALL, 'choice');
    hasWorld(TOWER, 'return');
    hasWorld(TOWER, 'file');
    hasWorld(WALL, 'file');
    // Nobody else notices a recording, but that the page has another world.
    hasWorld(WALL, 'recording');
    expect(room.said).toEqual([
      'Ada reset the scene.',
      'Ada brought the scene back.',
      'Ada started the wall.',
      'Ada brought the scene back.',
      'Ada opened a file of the tower.',
      'Ada opened a file of the wall.',
    ]);
    expect(room.offers).toEqual([]);
  });

  test('reads nothing when it comes back into the same scene', () => {
    const room = guest();
    room.world.peer.diagnostics.events.counts.reset++;
    room.tick();
    room.status = { kind: 'lost' };
    room.tick();
    room.status = { kind: 'here' };
    room.world = worldOf(TOWER);
    room.tick();
    expect(room.said).toEqual(['Ada reset the scene.']);
  });
});
