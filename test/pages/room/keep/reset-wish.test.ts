import { describe, expect, test } from 'vitest';
import { DEDICATED_SLOT } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { Roster, RosterPlayer } from '../../../../src/core/room/messages.ts';
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
  roster: Roster;
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
    this.says(this.slot, change);
  }

  tick(seconds: number, hasReset = false): void {
    this.wish.tick(hasReset);
    for (let tick = 1; tick < seconds * SECOND; tick++) this.wish.tick(false);
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
    expect(page.said).toEqual(['You want a reset. 2 players must want it.']);
    page.tick(29);
    expect(page.wants).toBe(true);
    page.tick(2);
    expect([page.wants, page.said[1]]).toEqual([false, 'Too few players want a reset.']);
  });

  test('[N1.8] ends with a reset, and under another host', () => {
    for (const end of [
      (page: Page) => page.tick(1, true),
      (page: Page) => (page.roster = { ...page.roster, host: 1 as Slot }),
    ]) {
      const page = new Page();
      page.wish.toggle();
      page.tick(1);
      end(page);
      page.tick(1);
      expect(page.wants).toBe(false);
    }
  });

  test('is taken back by the same button', () => {
    const page = new Page();
    page.wish.toggle();
    page.wish.toggle();
    expect([page.wants, page.wish.state?.isYours]).toEqual([false, false]);
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
    expect(offer).toMatchObject({ sentence: 'Bo wants to reset the scene. Do you?', slot: 1, seconds: 30 });
    offer.act();
    expect([page.wants, page.wish.state?.wishes, page.said]).toEqual([true, 2, []]);
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

  test('is asked about once a minute, however often it changes', () => {
    const page = new Page();
    let asked = 0;
    for (let second = 0; second < 120; second++) {
      page.says(1, { wantsReset: second % 2 === 0 ? true : undefined });
      page.tick(1);
      if (second % 2 === 0) asked += page.open.size;
    }
    expect(asked).toBe(2);
  });
});
