import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { LineId } from '../../../src/core/room/line.ts';
import type { MemberStart } from '../../../src/core/room/member.ts';
import { Member } from '../../../src/core/room/member.ts';
import { newProfile } from '../../../src/core/room/profile.ts';
import { answer, keyOf } from '../../support/keys.ts';
import { chooseLevel, gameLevels } from '../../../src/levels/levels.ts';

const [FIRST, SECOND, THIRD] = [1, 2, 3] as LineId[];

/** Two pages, with lines between them that have the same number at both ends; each line passes on what it is told to. */
class Pair {
  readonly host: Member;
  readonly guest: Member;
  /** Lines that pass nothing on at present. */
  readonly silent = new Set<LineId>();
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
      else if (effect.kind === 'send' && !this.silent.has(effect.line)) to.receive(effect.line, effect.text);
      else if (effect.kind === 'close') this.closed.add(effect.line);
    });
    return count > 0;
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

  test('one that breaks ends nothing while another may still do', () => {
    const pair = new Pair();
    for (const line of [FIRST, SECOND]) {
      pair.silent.add(line);
      pair.open(line);
    }
    pair.guest.lineClosed(FIRST);
    expect(pair.guest.guest?.wantsLine).toBe(true);
    pair.guest.lineClosed(SECOND);
    expect(pair.guest.guest?.wantsLine).toBe(false);
    pair.open(THIRD);
    // The attempt is over: a line of it that comes now is closed.
    expect(pair.closed).toContain(THIRD);
  });
});
