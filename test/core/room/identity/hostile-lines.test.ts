import { beforeEach, describe, expect, test } from 'vitest';
import type { SigningEffect } from '../../../../src/core/room/identity/authenticated-lines.ts';
import { AuthenticatedLines } from '../../../../src/core/room/identity/authenticated-lines.ts';
import type { Check } from '../../../../src/core/room/identity/statements.ts';
import { proofText } from '../../../../src/core/room/identity/statements.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { answer, keyOf, signatureOf } from '../../../support/keys.ts';

const VERSION = 9;
const CHALLENGE = 'a challenge of the victim';
const [VICTIM, EVE] = [keyOf('Victim'), keyOf('Eve')];

/** The lines of a page that others open lines to. A text "n signed" has n signatures of its sender. */
class Victim {
  readonly asked: SigningEffect[] = [];
  readonly known: LineId[] = [];
  readonly closed: LineId[] = [];
  readonly heard: string[] = [];
  verifications = 0;
  readonly lines = new AuthenticatedLines(
    {
      send: () => undefined,
      close: (line) => void this.closed.push(line),
      ask: (effect) => void this.asked.push(effect),
      known: (line) => void this.known.push(line),
      failed: () => undefined,
      closed: () => undefined,
      message: (_, text) => void this.heard.push(text),
      checks: (_, { key }, text): Check[] => {
        const count = Number.parseInt(text) || 0;
        return Array.from({ length: count }, () => ({ key, text, signature: signatureOf(key, text) }));
      },
    },
    { version: VERSION, key: VICTIM, challenge: () => CHALLENGE },
  );

  open(line: number, page = `page ${line}`): void {
    this.lines.opened(line as LineId, { page, isCaller: false, binding: `line ${line}` });
  }

  receive(line: number, text: string): void {
    this.lines.receive(line as LineId, text);
  }

  /** The other end of a line proves who it is. */
  prove(line: number, key = EVE): void {
    this.receive(
      line,
      JSON.stringify({ kind: 'hello', version: VERSION, challenge: 'a challenge of the other' }),
    );
    const statement = { version: VERSION, key, challenge: CHALLENGE, binding: `line ${line}` };
    const signature = signatureOf(key, proofText({ ...statement, role: 'caller' }));
    this.receive(line, JSON.stringify({ kind: 'proof', key, signature }));
    this.answerAll();
  }

  answerAll(): void {
    while (this.asked.length > 0) {
      for (const effect of this.asked.splice(0)) {
        if (effect.kind === 'verify') this.verifications += effect.checks.length;
        answer(effect, VICTIM, this.lines);
      }
    }
  }
}

let victim: Victim;
beforeEach(() => {
  victim = new Victim();
});

describe('[F1.1] a page that was stopped', () => {
  test('keeps its line to the host, though all that a line holds back comes at once behind a signed roster', () => {
    victim.open(1);
    victim.prove(1);
    for (let i = 0; i < 128; i++) victim.receive(1, i === 0 ? '1 signed' : `message ${i}`);
    victim.answerAll();
    expect(victim.closed).toEqual([]);
    expect(victim.heard).toHaveLength(128);
    expect(victim.heard.at(-1)).toBe('message 127');
  });
});

describe('[F1.1] a hostile page', () => {
  test('makes another page verify no more than 128 signatures at once, and 16 a second', () => {
    victim.open(1);
    victim.prove(1);
    victim.verifications = 0;
    // The longest lineage has 36 signatures; a line lets 32 messages a second through.
    for (let now = 0; now <= 10_000 && victim.closed.length === 0; now += 1000 / 32) {
      victim.lines.tick(now);
      victim.receive(1, '36 signed');
      victim.answerAll();
    }
    expect(victim.closed).toEqual([1]);
    expect(victim.verifications).toBeLessThanOrEqual(128 + 16);
    expect(victim.lines.rejected).toEqual({ flood: 1 });
  });

  test('bars no page that signs as much as an honest one: two a second for an hour', () => {
    victim.open(1);
    victim.prove(1);
    victim.receive(1, '36 signed');
    victim.answerAll();
    for (let now = 0; now < 3_600_000; now += 250) {
      victim.lines.tick(now);
      if (now % 500 === 0) victim.receive(1, '1 signed');
      victim.answerAll();
    }
    expect(victim.closed).toEqual([]);
  });

  test('that opens one line after the other does not keep a friend out whose handshake takes its time', () => {
    victim.open(1, 'a friend');
    for (let line = 2; line < 60; line++) victim.open(line, 'Eve');
    expect(victim.closed).not.toContain(1);
    victim.prove(1, keyOf('a friend'));
    expect(victim.known).toEqual([1]);
  });
});
