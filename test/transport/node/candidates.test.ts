import { expect, test } from 'vitest';
import { hasAddress, MOST_CANDIDATES, withoutNames } from '../../../src/transport/node/candidates.ts';

const candidate = (address: string): string => `candidate:1 1 udp 2122260223 ${address} 50000 typ host`;

test.each(['192.0.2.7', '2001:db8::7'])('a candidate may have the address %s', (address) => {
  expect(hasAddress(candidate(address))).toBe(true);
});

test.each(['friend.example', '0f3c.local', '', '192.0.2.300'])('“%s” is never looked up', (name) => {
  expect(hasAddress(candidate(name))).toBe(false);
});

test('a description keeps its lines, and some candidates with addresses in numbers', () => {
  const lines = [
    'v=0',
    'a=ice-ufrag:x',
    `a=${candidate('192.0.2.7')}`,
    `a=${candidate('friend.example')}`,
    '',
  ];
  expect(withoutNames(lines.join('\r\n'))).toBe([...lines.slice(0, 3), ''].join('\r\n'));
  const many = Array.from({ length: 400 }, () => `a=${candidate('192.0.2.7')}`);
  expect(withoutNames(many.join('\r\n')).split('\r\n')).toHaveLength(MOST_CANDIDATES);
});
