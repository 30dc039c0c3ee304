import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { Roster, RosterPlayer } from '../../../../src/core/room/messages.ts';
import type { SessionStatus } from '../../../../src/session/session.ts';
import type { Profile } from '../../../../src/core/room/profile.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';
import { ResetWish } from '../../../../src/pages/room/keep/reset-wish.ts';
import type { NewsOffer } from '../../../../src/pages/room/news/news-list.ts';
import { keyOf } from '../../../support/keys.ts';

const SECOND = 60;

/** A page of Ada, in slot 0 of a server's room, with Bo and Cy. */
class Page {
  readonly said: string[] = [];
  readonly open = new Set<NewsOffer>();
  readonly slot = 0 as Slot;
  status: SessionStatus = { kind: 'here' };
  roster: Roster;
  /** The player has said this, and the roster does not have it yet. */
  #said: Partial<Profile>[] = [];
  readonly wish = new ResetWish(this, {
    say: (sentence) => this.said.push(sentence),
    offer: (offer) => {
      this.open.add(offer);
      return () => void this.open.delete(offer);
    },
  });

  constructor() {
    const players = ['Ada', 'Bo', 'Cy'].map((name, slot): RosterPlayer => {
      return {
        ...newProfile(name),
        slot: slot as Slot,
        id: name,
        presence: 'here',
        roundTripMs: 0,
        key: keyOf(name),
      };
    });
    this.roster = { host: DEDICATED_SLOT, players } as unknown as Roster;
  }

  /** The host passes on what a player says. */
  says(slot: number, change: Partial<Profile>): void {
    const players = this.roster.players.map((player) =>
      player.slot === slot ? { ...player, ...change } : player,
    );
    this.roster = { ...this.roster, players };
  }

  setProfile(change: Partial<Profile>): void {
    this.#said.push(change);
  }

  tick(seconds: number, hasReset = false): void {
    this.wish.tick(hasReset);
    for (let tick = 1; tick < seconds * SECOND; tick++) this.wish.tick(false);
    for (const change of this.#said.splice(0)) this.says(this.slot, change);
  }

  get wants(): boolean {
    return this.roster.players[0].wantsReset === true;
  }
}

describe('the wish for a reset', () => {
  test('[N1.8] is told to all, and ends after 30 s with a sentence', () => {
    const page = new Page();
    page.wish.toggle();
    expect(page.wish.state).toEqual({ wishes: 1, needed: 2, isYours: true });
    expect(page.said).toEqual(['You want a reset. It happens once 2 players do.']);
    page.tick(29);
    expect(page.wants).toBe(true);
    page.tick(2);
    expect([page.wants, page.said[1]]).toEqual([false, 'Too few players wanted a reset.']);
  });

  test('[N1.8] ends with a reset, without a line, and under another host', () => {
    for (const end of [
      (page: Page) => page.tick(1, true),
      (page: Page) => (page.status = { kind: 'lost' }),
      (page: Page) => (page.roster = { ...page.roster, host: 1 as Slot }),
    ]) {
      const page = new Page();
      page.wish.toggle();
      page.tick(1);
      expect(page.wants).toBe(true);
      end(page);
      page.tick(1);
      expect(page.wants).toBe(false);
    }
  });

  test('is taken back by the same button', () => {
    const page = new Page();
    page.wish.toggle();
    page.wish.toggle();
    expect(page.wish.state).toEqual({ wishes: 0, needed: 2, isYours: false });
    page.tick(1);
    expect(page.wants).toBe(false);
  });

  test('counts for nothing where a player is the host', () => {
    const page = new Page();
    page.roster = { ...page.roster, host: 1 as Slot };
    page.wish.toggle();
    expect([page.wants, page.wish.state]).toEqual([false, null]);
  });
});

describe('the wish of another', () => {
  test('is a question, whose button is this player’s wish', () => {
    const page = new Page();
    page.says(1, { wantsReset: true });
    page.tick(1);
    const [offer] = page.open;
    expect(offer).toMatchObject({
      sentence: 'Bo wants to reset the scene. What you built would be gone.',
      slot: 1,
      seconds: 30,
    });
    offer.act();
    expect([page.wish.state, page.said]).toEqual([{ wishes: 2, needed: 2, isYours: true }, []]);
    page.tick(1);
    expect(page.wants).toBe(true);
  });

  test('is asked about no more once it has ended, or the scene was reset', () => {
    for (const end of [
      (page: Page) => page.says(1, { wantsReset: undefined }),
      (page: Page) => page.tick(1, true),
    ]) {
      const page = new Page();
      page.says(1, { wantsReset: true });
      page.tick(1);
      expect(page.open.size).toBe(1);
      end(page);
      page.tick(1);
      expect(page.open.size).toBe(0);
    }
  });

  test('is asked about once a minute, and four times at most, however often it changes', () => {
    const page = new Page();
    const asked = new Set<NewsOffer>();
    for (let second = 0; second < 600; second++) {
      page.says(1, { wantsReset: second % 2 === 0 ? true : undefined });
      page.tick(1);
      for (const offer of page.open) asked.add(offer);
      if (second === 118) expect(asked.size).toBe(2);
    }
    expect(asked.size).toBe(4);
  });

  test('gives way to that of a third player after 30 s, and counts for 35 s although it never ends', () => {
    const page = new Page();
    page.says(1, { wantsReset: true });
    page.tick(20);
    page.says(2, { wantsReset: true });
    expect([...page.open].map(({ slot }) => slot)).toEqual([1]);
    page.tick(12);
    expect([...page.open].map(({ slot }) => slot)).toEqual([2]);
    expect(page.wish.state?.wishes).toBe(2);
    page.tick(5);
    expect(page.wish.state?.wishes).toBe(1);
  });
});
