import { describe, expect, test } from 'vitest';
import { WATCHER_SLOT } from '../../../src/core/base/constants.ts';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { playerInput } from '../../../src/core/hands/hand-input.ts';
import { BROADCAST_CONNECTION } from '../../../src/core/peer/outgoing/broadcast.ts';
import { Peer } from '../../../src/core/peer/peer.ts';
import type { SharedEvent, SharedState } from '../../../src/core/peer/shared/shared-state.ts';
import { floatingSimulation } from '../../support/bodiless.ts';
import { SCHEMA, SharedRoom } from '../../support/shared-room.ts';
import { ALL_TICKS, playShared } from './play-shared.ts';

type Declared = typeof SCHEMA.declaration;

/** One that watches the host of a room with shared state; anew whenever another host leads. */
class SharedWatcher {
  readonly events: SharedEvent<Declared>[] = [];
  keyframes = 0;
  peer: Peer;
  shared: SharedState<Declared>;
  #host: Slot;
  #hostTick = -1;

  constructor(room: SharedRoom) {
    this.#host = room.host;
    this.peer = this.#begin(room);
    this.shared = this.peer.shared(SCHEMA);
  }

  #begin({ host, level }: SharedRoom): Peer {
    const peer = new Peer({
      slot: WATCHER_SLOT as Slot,
      host,
      level,
      simulation: floatingSimulation(level),
      schema: SCHEMA,
      avatar: false,
    });
    peer.connect(host, BROADCAST_CONNECTION);
    return peer;
  }

  /** Call it after each tick of the room. */
  tick(room: SharedRoom): void {
    if (room.host !== this.#host) {
      this.#host = room.host;
      this.peer.dispose();
      this.peer = this.#begin(room);
      this.shared = this.peer.shared(SCHEMA);
    }
    const { peer: host } = room.player(room.host);
    if (host.state.tick !== this.#hostTick)
      host.broadcast(room.now, false, (bytes, isKeyframe) => {
        if (isKeyframe) this.keyframes++;
        this.peer.receive(room.now, room.host, bytes);
      });
    this.#hostTick = host.state.tick;
    this.peer.tick(playerInput());
    this.events.push(...this.shared.events());
  }

  /** Values that are not those of the host; empty if all are. */
  differences(room: SharedRoom): string[] {
    const { peer: host } = room.player(room.host);
    const [own, theirs] = [this.peer, host].map(({ state: { shared } }) => shared?.store.words);
    const found = Object.entries(this.peer.diagnostics.rejections).map(([why, count]) => `${count} ${why}`);
    for (let i = 0; i < (own?.length ?? 0); i++)
      if (own?.[i] !== theirs?.[i]) found.push(`word ${i}: ${own?.[i]}, not ${theirs?.[i]}`);
    return found;
  }
}

describe('[N5.2] a watcher gets shared state and events as one more guest would', () => {
  test('by packets that are no keyframes, too', () => {
    const room = new SharedRoom(3, 2);
    const eve = new SharedWatcher(room);
    const pass = (ticks: number): void => {
      for (let i = 0; i < ticks; i++) {
        room.tick();
        eve.tick(room);
      }
    };
    pass(120);
    room.player(1).shared.room.set('round', 42);
    room.player(1).shared.players.set(1 as Slot, 'motto', 'go on');
    room.player(2).shared.bodies.set(0 as BodyId, 'worth', 0.5);
    room.player(0).shared.bodies.set(0 as BodyId, 'worth', 0.7);
    room.emits(2);
    pass(120);
    expect(eve.keyframes).toBe(1);
    expect(eve.shared.room.get('round')).toBe(room.player(0).shared.room.get('round'));
    expect(eve.shared.players.get(1 as Slot, 'motto')).toBe('go on');
    expect(eve.shared.bodies.get(0 as BodyId, 'worth')).toBeCloseTo(0.7, 6);
    expect(eve.events.map(({ name, author }) => [name, author])).toEqual([['horn', 2]]);
    room.leaves(1);
    pass(60);
    expect(eve.shared.players.get(1 as Slot, 'motto'), 'of a player that has left').toBe('');
    expect([eve.differences(room), eve.keyframes]).toEqual([[], 1]);
    room.clearAway();
  });

  test.each([1, 2, 3, 4])(
    'also where players come and go, hosts change, and the level begins anew: seed %i',
    { timeout: 60_000 },
    (seed) => {
      let eve: SharedWatcher | null = null;
      let differences: readonly string[] = ['nobody watched'];
      playShared(seed, (room, tick) => {
        eve ??= new SharedWatcher(room);
        eve.tick(room);
        if (tick === ALL_TICKS - 1) differences = eve.differences(room);
      });
      expect(differences, `seed ${seed}`).toEqual([]);
    },
  );
});
