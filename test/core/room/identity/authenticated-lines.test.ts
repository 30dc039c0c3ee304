import { beforeEach, describe, expect, test } from 'vitest';
import type { Check } from '../../../../src/core/room/identity/statements.ts';
import type {
  AuthenticatedLineActions,
  SigningEffect,
} from '../../../../src/core/room/identity/authenticated-lines.ts';
import { AuthenticatedLines } from '../../../../src/core/room/identity/authenticated-lines.ts';
import type { LineEnd, LineId } from '../../../../src/core/room/line.ts';
import { answer, keyOf, signatureOf } from '../../../support/keys.ts';

/** The challenges of two simulated pages never meet. */
let challenges = 0;

/** One page's lines. A message that begins with "signed" has a signature to verify. */
class Page {
  readonly lines: AuthenticatedLines;
  readonly sent: [LineId, string][] = [];
  readonly words: string[] = [];
  readonly asked: SigningEffect[] = [];
  readonly name: string;

  constructor(name: string, version = 9) {
    this.name = name;
    const key = keyOf(name);
    const actions: AuthenticatedLineActions = {
      send: (line, text) => void this.sent.push([line, text]),
      close: (line) => void this.words.push(`close ${line}`),
      ask: (effect) => void this.asked.push(effect),
      known: (line, other) =>
        void this.words.push(`known ${line} ${other.page} ${other.key === keyOf(other.page)}`),
      failed: (line, why) => void this.words.push(`failed ${line} ${why}`),
      closed: (line) => void this.words.push(`closed ${line}`),
      message: (line, text) => void this.words.push(`message ${line} ${text}`),
      checks: (_, { key: other }, text): readonly Check[] | null => {
        if (text.startsWith('impossible')) return null;
        return text.startsWith('signed') ? [{ key: other, text, signature: signatureOf(other, text) }] : [];
      },
    };
    const challenge = (): string => `a challenge of ${name} ${challenges++}`;
    this.lines = new AuthenticatedLines(actions, { version, key, challenge });
  }

  /** Signs and verifies what was asked for. */
  answerAll(): void {
    for (const effect of this.asked.splice(0)) answer(effect, keyOf(this.name), this.lines);
  }

  open(line: number, end: Partial<LineEnd> = {}): void {
    this.lines.opened(line as LineId, { page: 'Bob', isCaller: true, binding: 'a binding', ...end });
  }

  receive(line: number, text: string): void {
    this.lines.receive(line as LineId, text);
  }
}

let ada: Page;
let bob: Page;
beforeEach(() => {
  [ada, bob] = [new Page('Ada'), new Page('Bob')];
});

/** Ada calls Bob: line 1 at both. @param between what becomes of a message on its way. */
function meet(
  atAda: Partial<LineEnd> = {},
  atBob: Partial<LineEnd> = {},
  between = (text: string): string => text,
): void {
  ada.open(1, { page: 'Bob', isCaller: true, ...atAda });
  bob.open(1, { page: 'Ada', isCaller: false, ...atBob });
  for (let i = 0; i < 4; i++) {
    for (const [, text] of ada.sent.splice(0)) bob.receive(1, between(text));
    for (const [, text] of bob.sent.splice(0)) ada.receive(1, between(text));
    ada.answerAll();
    bob.answerAll();
  }
}

const REFUSED = ['close 1', 'failed 1 unproven'];

describe('[P2] a line', () => {
  test('[P2.1] comes to a page once both have proved who they are', () => {
    meet();
    expect([ada.words, bob.words]).toEqual([['known 1 Bob true'], ['known 1 Ada true']]);
    expect(ada.lines.otherOf(1 as LineId)).toEqual({ key: keyOf('Bob'), page: 'Bob' });
  });

  test('[P2.3] hands on nothing before both proofs: neither its own nor the other’s is enough', () => {
    ada.open(1);
    bob.open(1, { page: 'Ada', isCaller: false });
    const pass = (): void => {
      for (const [, text] of ada.sent.splice(0)) bob.receive(1, text);
      for (const [, text] of bob.sent.splice(0)) ada.receive(1, text);
    };
    pass();
    bob.answerAll();
    pass();
    ada.receive(1, 'early');
    const [ownProof, theirProof] = ada.asked.splice(0);
    expect([ownProof.kind, theirProof.kind]).toEqual(['sign', 'verify']);
    answer(theirProof, keyOf('Ada'), ada.lines);
    expect([ada.words, ada.lines.otherOf(1 as LineId)]).toEqual([[], null]);
    answer(ownProof, keyOf('Ada'), ada.lines);
    expect(ada.words).toEqual(['known 1 Bob true', 'message 1 early']);

    pass();
    bob.receive(1, 'early');
    expect(bob.words, 'its own proof is sent, and the other’s is not verified').toEqual([]);
    bob.answerAll();
    expect(bob.words).toEqual(['known 1 Ada true', 'message 1 early']);
  });

  test('[P2.3] keeps its messages in order while signatures are verified', () => {
    meet();
    ada.words.length = 0;
    for (const text of ['one', 'signed two', 'three', 'signed four', 'five']) ada.receive(1, text);
    expect(ada.words).toEqual(['message 1 one']);
    ada.answerAll();
    expect(ada.words).toEqual(['message 1 one', 'message 1 signed two', 'message 1 three']);
    ada.answerAll();
    expect(ada.words.slice(3)).toEqual(['message 1 signed four', 'message 1 five']);
  });

  test('passes over a message whose signature is not valid, or that can’t be right', () => {
    meet();
    ada.words.length = 0;
    for (const text of ['signed one', 'impossible', 'two']) ada.receive(1, text);
    const [effect] = ada.asked.splice(0);
    ada.lines.verified(effect.kind === 'verify' ? effect.request : 0, false);
    expect(ada.words).toEqual(['message 1 two']);
    expect(ada.lines.rejected).toEqual({ signature: 2 });
  });

  test('ends if its own proof can’t be signed', () => {
    ada.open(1);
    ada.receive(1, JSON.stringify({ kind: 'hello', version: 9, challenge: 'a challenge of Bob' }));
    const [effect] = ada.asked.splice(0);
    expect(ada.lines.signed(effect.kind === 'sign' ? effect.text : '', null)).toBe(true);
    expect(ada.words).toEqual(REFUSED);
    expect(ada.lines.signed('another text', signatureOf(keyOf('Ada'), ''))).toBe(false);
  });
});

describe('[P2.2] a proof is refused', () => {
  test.each<[string, Partial<LineEnd>, Partial<LineEnd>]>([
    ['on a line with another binding', {}, { binding: 'another binding' }],
    ['if both ends say that they have called', {}, { isCaller: true }],
    ['if neither end says that it has called', { isCaller: false }, {}],
  ])('%s', (_, atAda, atBob) => {
    meet(atAda, atBob);
    expect([ada.words, bob.words]).toEqual([REFUSED, REFUSED]);
    expect(ada.lines.rejected).toEqual({ proof: 1 });
  });

  test('with another key, or another challenge', () => {
    meet({}, {}, (text) => text.replace(keyOf('Bob'), keyOf('Eve')));
    expect(ada.words).toEqual(REFUSED);
    [ada, bob] = [new Page('Ada'), new Page('Bob')];
    meet({}, {}, (text) => text.replace('a challenge of Ada', 'a challenge of Eve'));
    expect(ada.words).toEqual(REFUSED);
  });

  test('that was made for another version', () => {
    ada = new Page('Ada', 8);
    meet({}, {}, (text) =>
      text.replace(/"version":\d/, text.includes('of Ada') ? '"version":9' : '"version":8'),
    );
    expect([ada.words, bob.words]).toEqual([REFUSED, REFUSED]);
  });

  test('that was sent on an earlier line with the same binding', () => {
    const recorded: string[] = [];
    meet({}, {}, (text) => {
      recorded.push(text);
      return text;
    });
    const [hello, proof] = recorded.filter((text) => text.includes('of Bob') || text.includes(keyOf('Bob')));
    ada.words.length = 0;
    ada.open(2);
    ada.receive(2, hello);
    ada.receive(2, proof);
    ada.answerAll();
    expect(ada.words).toEqual(['close 2', 'failed 2 unproven']);
  });

  test('that is one’s own, sent back', () => {
    ada.open(1);
    for (let i = 0; i < 3; i++) {
      for (const [, text] of ada.sent.splice(0)) ada.receive(1, text);
      ada.answerAll();
    }
    expect(ada.words).toEqual(REFUSED);
  });

  test('of a page in the middle that passes everything on: its two lines have two bindings', () => {
    meet(
      { page: 'Eve', binding: 'fingerprints of Ada and Eve' },
      { page: 'Eve', binding: 'fingerprints of Eve and Bob' },
    );
    expect([ada.words, bob.words]).toEqual([REFUSED, REFUSED]);
  });
});

describe('[W1.3] a page of another version', () => {
  test.each([
    [8, 9],
    [9, 8],
  ])('is told so, and both ends know: %d calls %d', (own, other) => {
    [ada, bob] = [new Page('Ada', own), new Page('Bob', other)];
    meet();
    const failed = ['close 1', 'failed 1 version'];
    expect([ada.words, bob.words]).toEqual([failed, failed]);
  });

  test('[P2.5] gets the refusal in the form that all versions read', () => {
    ada.open(1);
    ada.receive(1, JSON.stringify({ kind: 'hello', version: 8, name: 'Bob', seat: null }));
    expect(ada.sent.map(([, text]) => JSON.parse(text) as unknown).at(-1)).toEqual({
      kind: 'refuse',
      reason: 'version',
      version: 9,
    });
    expect(ada.lines.rejected).toEqual({ version: 1 });
  });
});

describe('[F1] what other pages may cost', () => {
  test('[P2.4] is 16 handshakes at once: the oldest gives way, and a line that this page has opened does not', () => {
    ada.open(100);
    for (let line = 0; line < 16; line++) ada.open(line, { isCaller: false });
    expect(ada.words).toEqual([]);
    ada.open(16, { isCaller: false });
    expect(ada.words).toEqual(['close 0', 'failed 0 unproven']);
  });

  test('is 128 messages that wait', () => {
    meet();
    ada.words.length = 0;
    for (let i = 0; i < 128; i++) ada.receive(1, 'signed');
    expect(ada.words).toEqual([]);
    ada.receive(1, 'signed');
    expect(ada.words).toEqual(REFUSED);
    expect(ada.lines.rejected).toEqual({ flood: 1 });
    ada.answerAll();
    expect(ada.words).toEqual(REFUSED);
  });

  test('[P2.4] is 12 s for a proof; a line whose pages are known has no end', () => {
    meet();
    ada.open(2);
    ada.words.length = 0;
    for (let now = 0; now < 12_000; now += 100) ada.lines.tick(now);
    expect(ada.words).toEqual([]);
    ada.lines.tick(12_000);
    expect(ada.words).toEqual(['close 2', 'failed 2 unproven']);
    expect(ada.lines.rejected).toEqual({ 'no proof': 1 });
    for (let now = 12_000; now < 40_000; now += 100) ada.lines.tick(now);
    expect(ada.words).toHaveLength(2);
  });

  test.each([65, 9000])('[F1.5] is nothing of a page whose id has %d characters', (length) => {
    ada.open(1, { page: 'x'.repeat(length) });
    expect([ada.words, ada.sent, ada.lines.rejected]).toEqual([['close 1'], [], { 'page id': 1 }]);
    ada.receive(1, JSON.stringify({ kind: 'hello', version: 9, challenge: 'a challenge of Bob' }));
    expect(ada.asked).toEqual([]);
    ada.open(2, { page: 'x'.repeat(64) });
    expect(ada.sent).toHaveLength(1);
  });

  test('is nothing of lines that are closed or unknown', () => {
    ada.open(1);
    ada.lines.forget(1 as LineId);
    ada.receive(1, 'anything');
    ada.lines.verified(99, true);
    expect([ada.words, ada.asked]).toEqual([[], []]);
    ada.lines.closed(1 as LineId);
    expect(ada.words).toEqual(['closed 1']);
  });
});

describe('[P2] the end of a line', () => {
  test('is reported at once if nothing waits', () => {
    meet();
    ada.lines.closed(1 as LineId);
    expect(ada.words.slice(1)).toEqual(['closed 1']);
    expect(ada.lines.otherOf(1 as LineId)).toBeNull();
  });

  test('comes after the last words, though their signatures take their time', () => {
    meet();
    for (const text of ['signed goodbye', 'more']) ada.receive(1, text);
    ada.lines.closed(1 as LineId);
    expect(ada.words.slice(1)).toEqual([]);
    ada.answerAll();
    expect(ada.words.slice(1)).toEqual(['message 1 signed goodbye', 'message 1 more', 'closed 1']);
  });

  test('comes after the proof and the words after it, too', () => {
    ada.open(1);
    bob.open(1, { page: 'Ada', isCaller: false });
    const pass = (): void => {
      for (const [, text] of ada.sent.splice(0)) bob.receive(1, text);
      for (const [, text] of bob.sent.splice(0)) ada.receive(1, text);
    };
    pass();
    bob.answerAll();
    ada.answerAll();
    pass();
    bob.receive(1, 'signed goodbye');
    bob.lines.closed(1 as LineId);
    expect(bob.words).toEqual([]);
    bob.answerAll();
    bob.answerAll();
    expect(bob.words).toEqual(['known 1 Ada true', 'message 1 signed goodbye', 'closed 1']);
  });

  test('is reported once if what waited was not signed by the other end', () => {
    meet();
    ada.receive(1, 'signed goodbye');
    ada.lines.closed(1 as LineId);
    const [effect] = ada.asked.splice(0);
    if (effect.kind === 'verify') ada.lines.verified(effect.request, false);
    expect(ada.words.slice(1)).toEqual(['closed 1']);
  });

  test('is nothing for a page that closes the line itself', () => {
    meet();
    ada.receive(1, 'signed goodbye');
    ada.lines.closed(1 as LineId);
    ada.lines.forget(1 as LineId);
    ada.answerAll();
    expect(ada.words.slice(1)).toEqual([]);
  });
});
