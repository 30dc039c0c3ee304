import { describe, expect, test } from 'vitest';
import { Handshake, readIntroduction } from '../../../../src/core/room/identity/handshake.ts';
import { proofText } from '../../../../src/core/room/identity/statements.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';

const [ADA, BOB] = [keyOf('Ada'), keyOf('Bob')];
const BINDING = 'the binding of this line';
const CHALLENGES = { ada: 'a challenge of Ada', bob: 'a challenge of Bob' };

/** Ada has called Bob; this is her end. */
function atAda(): Handshake {
  const end = { page: 'page of Bob', isCaller: true, binding: BINDING };
  return new Handshake(end, { version: 9, key: ADA, challenge: CHALLENGES.ada });
}

const HELLO = JSON.stringify({ kind: 'hello', version: 9, challenge: CHALLENGES.bob });
const PROOF = JSON.stringify({ kind: 'proof', key: BOB, signature: signatureOf(BOB, 'x') });

describe('[P2] the handshake of a line', () => {
  test('[P2.2] signs version, key, role, the other’s challenge and the binding; and checks the same of the other', () => {
    const handshake = atAda();
    expect(handshake.hello).toEqual({ kind: 'hello', version: 9, challenge: CHALLENGES.ada });
    const own = {
      version: 9,
      key: ADA,
      role: 'caller',
      challenge: CHALLENGES.bob,
      binding: BINDING,
    } as const;
    expect(handshake.receive(HELLO)).toEqual({ kind: 'sign', text: proofText(own) });
    const theirs = {
      version: 9,
      key: BOB,
      role: 'callee',
      challenge: CHALLENGES.ada,
      binding: BINDING,
    } as const;
    const signature = signatureOf(BOB, 'x');
    expect(handshake.receive(PROOF)).toEqual({
      kind: 'verify',
      check: { key: BOB, text: proofText(theirs), signature },
    });
  });

  test.each<[string, string[]]>([
    ['nonsense', ['nonsense']],
    ['a proof before the hello', [PROOF]],
    ['a second hello', [HELLO, HELLO]],
    ['a second proof', [HELLO, PROOF, PROOF]],
    ['a message of a room', ['{"kind":"voice","voice":"on"}']],
    ['a short challenge', [JSON.stringify({ kind: 'hello', version: 9, challenge: 'x'.repeat(15) })]],
    ['a long challenge', [JSON.stringify({ kind: 'hello', version: 9, challenge: 'x'.repeat(65) })]],
    ['no version', [JSON.stringify({ kind: 'hello', challenge: CHALLENGES.bob })]],
    ['a proof without a key', [HELLO, JSON.stringify({ kind: 'proof', signature: signatureOf(BOB, 'x') })]],
    ['a proof without a signature', [HELLO, JSON.stringify({ kind: 'proof', key: BOB })]],
  ])('breaks at %s', (_, texts) => {
    const handshake = atAda();
    expect(texts.map((text) => handshake.receive(text).kind).at(-1)).toBe('broken');
  });

  test.each([
    { kind: 'hello', version: 8, name: 'Ada', colour: null, seat: null },
    { kind: 'hello', version: 11, challenge: 'another form' },
    { kind: 'refuse', reason: 'version', version: 11 },
  ])('knows a page of another version, whatever else it says: %j', (message) => {
    expect(atAda().receive(JSON.stringify(message))).toEqual({ kind: 'version' });
    expect(atAda().refusal).toEqual({ kind: 'refuse', reason: 'version', version: 9 });
  });

  test('reads an own proof as it was written', () => {
    const proof = atAda().proof(signatureOf(ADA, 'x'));
    expect(readIntroduction(JSON.stringify(proof), 9)).toEqual(proof);
  });
});
