import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { LineId } from '../../../src/core/room/line.ts';
import type { MemberStart } from '../../../src/core/room/member.ts';
import { Member } from '../../../src/core/room/member.ts';
import { readHostMessage } from '../../../src/core/room/messages.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { answer, keyOf } from '../../support/keys.ts';
import { chooseLevel, gameLevels } from '../../../src/levels/levels.ts';

const [FIRST, SECOND, THIRD] = [1, 2, 3] as LineId[];

/** Two pages, with lines between them that have the same number at both ends; each line passes on what it is told to. */
class Pair {
  readonly host: Member;
  readonly guest: Member;
  #now = 0;
  /** Lines that pass nothing on at present. */
  readonly silent = new Set<LineId>();
  /** Welcomes get lost at present. */
  losesWelcomes = false;
  /** Lines that an end has closed. */
  readonly closed = new Set<LineId>();

  constructor() {
    const level = chooseLevel({ id: 'pile', seed: 1 });
    this.host = newMember('host', { role: 'host', options: { slot: 0 as Slot, level, capacity: 4 } });
    this.guest = newMember('guest', { role: 'guest', options: { colour: null, returns: false, room: null } });
    this.pump();
  }

  /** A line opens that the guest has dialled. */
  open(line: LineId): void {
    this.guest.attemptOpened(line, { page: 'host', isCaller: true, binding: `line ${line}` });
    this.host.lineOpened(line, { page: 'guest', isCaller: false, binding: `line ${line}` });
    this.pump();
  }

  /** Carries out what both ask for until neither asks for more. */
  pump(): void {
    for (let isBusy = true; isBusy;) {
      isBusy = this.#obey(this.host, this.guest, 'host');
      isBusy = this.#obey(this.guest, this.host, 'guest') || isBusy;
    }
  }

  #obey(from: Member, to: Member, name: string): boolean {
    let count = 0;
    from.drain((effect) => {
      count++;
      if (effect.kind === 'sign' || effect.kind === 'verify') answer(effect, keyOf(name), from);
      else if (effect.kind === 'send' && !this.#isLost(effect)) to.receive(effect.line, effect.text);
      else if (effect.kind === 'close') this.closed.add(effect.line);
    });
    return count > 0;
  }

  #isLost({ line, text }: { readonly line: LineId; readonly text: string }): boolean {
    return this.silent.has(line) || (this.losesWelcomes && readHostMessage(text)?.kind === 'welcome');
  }

  run(ms: number): void {
    for (const end = this.#now + ms; this.#now < end;) {
      this.#now += TICK_MS;
      const lastPacketMs = (): number => this.#now;
      for (const member of [this.host, this.guest])
        member.tick(this.#now, { lastPacketMs, roundTripMs: () => 0 });
      this.pump();
    }
  }
}

function newMember(id: string, start: MemberStart): Member {
  return new Member(
    { profile: newProfile(id), levels: gameLevels, id, key: keyOf(id), secret: () => `a secret of ${id}` },
    start,
  );
}

describe('[F3.7] of several lines to the host’s door', () => {
  test('the first whose handshake is over counts, and the others are closed', () => {
    const pair = new Pair();
    pair.silent.add(FIRST);
    pair.open(FIRST);
    expect(pair.guest.guest?.status.kind).toBe('joining');
    pair.open(SECOND);
    expect(pair.guest.guest?.status.kind).toBe('here');
    expect([...pair.closed]).toEqual([FIRST]);
  });

  test('[F3.10] those that break before they bring anything end nothing: another may still do', () => {
    const pair = new Pair();
    for (const line of [FIRST, SECOND]) {
      pair.silent.add(line);
      pair.open(line);
    }
    pair.guest.lineClosed(FIRST);
    expect(pair.guest.guest?.wantsLine).toBe(true);
    pair.guest.lineClosed(SECOND);
    expect(pair.guest.guest?.wantsLine).toBe(true);
    pair.open(THIRD);
    expect(pair.guest.guest?.status.kind).toBe('here');
  });

  test('[F3.9] one that is known later waits, and counts if no welcome comes on the first within 3 s', () => {
    const pair = new Pair();
    pair.losesWelcomes = true;
    pair.open(FIRST);
    pair.open(SECOND);
    expect([...pair.closed]).toEqual([]);
    pair.losesWelcomes = false;
    pair.run(2900);
    expect(pair.guest.guest?.status.kind).toBe('joining');
    pair.run(300);
    expect(pair.guest.guest?.status.kind).toBe('here');
    expect([...pair.closed]).toEqual([FIRST]);
  });
});
