import { describe, expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { DoorSearch } from '../../../../src/core/room/guest/door-search.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { MemberStart } from '../../../../src/core/room/member.ts';
import { Member } from '../../../../src/core/room/member.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';
import { chooseLevel, gameLevels } from '../../../../src/levels/levels.ts';
import { answer, keyOf } from '../../../support/keys.ts';

const JOINS = 200;
const STEP_MS = 50;
/** The chance of a message to be lost on its way through two relays, of which each crossing loses one in five. */
const LOSS = 0.36;
/** Milliseconds of a way, and until a lost message is sent again for the first time: each further time takes twice as long. */
const WAY_MS = 100;
const AGAIN_MS = 1000;
/** Milliseconds for which a closed line still sends what it has not sent. */
const LAST_MESSAGE_MS = 300;
/** Messages, one after the other, of DTLS and SCTP before a line opens: then half of the lines take more than 5 s. */
const OPENING = 5;

/** @returns milliseconds until a message arrives that is sent again and again. */
function wayOf(random: Random): number {
  let ms = WAY_MS;
  for (let again = AGAIN_MS; random.chance(LOSS); again *= 2) ms += again;
  return ms;
}

type Happening = { readonly at: number; readonly happens: () => void };

/** One end of a line: its messages arrive in order, so a lost one keeps back those after it. */
type End = { readonly member: Member; lastAt: number };

/** A guest that joins a host over lines that lose messages; it searches for the host's door as a page does. */
class LossyJoin {
  now = 0;
  readonly #random: Random;
  readonly #host = newMember('host', {
    role: 'host',
    options: { slot: 0 as Slot, level: chooseLevel({ id: 'pile', seed: 1 }), capacity: 4 },
  });
  readonly #guest = newMember('guest', {
    role: 'guest',
    options: { colour: null, returns: false, room: null },
  });
  readonly #search = new DoorSearch({ hasRelay: true, relayOnly: true, hasSocket: false });
  readonly #happenings: Happening[] = [];
  readonly #open = new Map<LineId, { readonly guest: End; readonly host: End }>();
  /** When the last message of a line that was closed arrives, at the latest. */
  readonly #overAt = new Map<LineId, number>();
  #lines = 0;

  constructor(seed: number) {
    this.#random = new Random(seed);
  }

  /** @returns how it ended: `here`, or why not. */
  run(): string {
    while (this.now < 60_000) {
      const status = this.#guest.guest?.status;
      if (status?.kind === 'here') return 'here';
      if (status?.kind === 'ended') return status.why;
      this.#tick();
    }
    return 'still joining';
  }

  #tick(): void {
    this.now += STEP_MS;
    if (this.#guest.guest?.wantsLine !== true) this.#search.stop();
    this.#search.tick(this.now, false);
    this.#obeySearch();
    const due = this.#happenings.filter(({ at }) => at <= this.now).sort((a, b) => a.at - b.at);
    for (const happening of due) {
      this.#happenings.splice(this.#happenings.indexOf(happening), 1);
      happening.happens();
    }
    for (const [member, name] of [
      [this.#host, 'host'],
      [this.#guest, 'guest'],
    ] as const) {
      member.tick(this.now, { lastPacketMs: () => this.now, roundTripMs: () => 0 });
      this.#obey(member, name);
    }
    const { failure } = this.#search;
    if (failure !== null) this.#guest.attemptStands(failure);
  }

  #obeySearch(): void {
    this.#search.drain((effect) => {
      if (effect.kind === 'dial') this.#search.dialled(this.#dial(), effect.way);
      else if (effect.kind === 'close') this.#close(effect.line);
      else this.#guest.attemptFailed(effect.why);
    });
  }

  #dial(): LineId {
    const line = ++this.#lines as LineId;
    const opensAt = Array.from({ length: OPENING }, () => wayOf(this.#random)).reduce(
      (a, b) => a + b,
      this.now,
    );
    const [guest, host] = [this.#guest, this.#host].map((member) => ({ member, lastAt: 0 }));
    this.#happen(opensAt, () => {
      if (!this.#search.opened(line)) return;
      this.#open.set(line, { guest, host });
      host.member.lineOpened(line, { page: 'guest', isCaller: false, binding: `line ${line}` });
      guest.member.attemptOpened(line, { page: 'host', isCaller: true, binding: `line ${line}` });
    });
    return line;
  }

  #close(line: LineId): void {
    this.#search.closed(line);
    const ends = this.#open.get(line);
    if (ends === undefined) return;
    this.#open.delete(line);
    const overAt = this.now + LAST_MESSAGE_MS + WAY_MS;
    this.#overAt.set(line, overAt);
    for (const { member } of [ends.guest, ends.host]) this.#happen(overAt, () => member.lineClosed(line));
  }

  #happen(at: number, happens: () => void): void {
    this.#happenings.push({ at, happens });
  }

  #obey(member: Member, name: string): void {
    member.drain((effect) => {
      if (effect.kind === 'sign' || effect.kind === 'verify') answer(effect, keyOf(name), member);
      else if (effect.kind === 'open') this.#search.begin();
      else if (effect.kind === 'close') this.#close(effect.line);
      else if (effect.kind === 'send') this.#say(member, effect.line, effect.text);
    });
  }

  #say(from: Member, line: LineId, text: string): void {
    const ends = this.#open.get(line);
    if (ends === undefined) return;
    const to = from === this.#host ? ends.guest : ends.host;
    to.lastAt = Math.max(to.lastAt, this.now + wayOf(this.#random));
    const at = to.lastAt;
    this.#happen(at, () => {
      if (at < (this.#overAt.get(line) ?? Infinity)) to.member.receive(line, text);
    });
  }
}

function newMember(id: string, start: MemberStart): Member {
  return new Member(
    { profile: newProfile(id), levels: gameLevels, id, key: keyOf(id), secret: () => `a secret of ${id}` },
    start,
  );
}

describe('[F3.6] [F3.7] [F3.9] [F3.10] joins over lines that lose every third message', () => {
  test('bring everybody in within 30 s', () => {
    const joins = Array.from({ length: JOINS }, (_, seed) => {
      const join = new LossyJoin(seed);
      return { seed, end: join.run(), seconds: join.now / 1000 };
    });
    const seconds = joins.map((join) => join.seconds).sort((a, b) => a - b);
    console.log(
      [0.1, 0.5, 0.9, 0.99].map((part) => seconds[Math.floor(part * JOINS)]),
      seconds.at(-1),
    );
    expect(joins.filter(({ end, seconds: took }) => end !== 'here' || took > 30)).toEqual([]);
  });
});
