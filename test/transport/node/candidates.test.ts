import { BlockList } from 'node:net';
import { describe, expect, test } from 'vitest';
import type { Reach } from '../../../src/transport/node/candidates.ts';
import {
  Candidates,
  isReachable as isReachableFrom,
  MOST_CANDIDATES,
} from '../../../src/transport/node/candidates.ts';

const INTERNET = { privateNetworks: false, thisMachine: false };
/** A machine with an address in the internet, and one in a private network. */
const HERE = new BlockList();
HERE.addAddress('198.51.100.1');
HERE.addAddress('fd00::2', 'ipv6');
HERE.addAddress('fe80::2', 'ipv6');
const isReachable = (line: string, reach: Reach): boolean => isReachableFrom(line, reach, HERE);
const candidate = (address: string): string => `candidate:1 1 udp 2122260223 ${address} 50000 typ host`;

describe('[N2.2] a candidate', () => {
  test.each(['192.0.2.7', '2001:db8::7'])('may have the address %s', (address) => {
    expect(isReachable(candidate(address), INTERNET)).toBe(true);
    expect(isReachable(`a=${candidate(address)} generation 0 ufrag x`, INTERNET)).toBe(true);
  });

  test.each(['friend.example', '0f3c.local', '', '192.0.2.300', '1.2', 'fe80::1%eth0'])(
    'with the name “%s” is never looked up',
    (name) => expect(isReachable(candidate(name), INTERNET)).toBe(false),
  );

  test.each([
    ...['0.0.0.0', '0.1.2.3', '169.254.169.254', '224.0.0.251', '239.1.2.3', '240.0.0.1', '255.255.255.255'],
    ...['::', '::7f00:1', '::ffff:127.0.0.1', '::ffff:192.0.2.7', '::ffff:c000:207', '64:ff9b::7f00:1'],
    ...['2001:0:1::1', '2002:7f00:1::1', 'fe80::1', 'fe80::2', 'FE80::1', 'febf::1', 'fec0::1', 'ff02::fb'],
  ])('never leads to %s', (address) => {
    expect(isReachable(candidate(address), { privateNetworks: true, thisMachine: true })).toBe(false);
  });

  test.each(['127.0.0.1', '127.1.2.3', '::1', '0:0:0:0:0:0:0:1', '198.51.100.1', 'FD00:0::2'])(
    'leads to this machine, %s, only for who says so',
    (address) => {
      expect(isReachable(candidate(address), { privateNetworks: true, thisMachine: false })).toBe(false);
      expect(isReachable(candidate(address), { privateNetworks: false, thisMachine: true })).toBe(true);
    },
  );

  test.each(['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.2', '100.64.0.1', 'fc00::1', 'fd12::1'])(
    'leads to the private network of %s only if the operator says so',
    (address) => {
      expect(isReachable(candidate(address), INTERNET)).toBe(false);
      expect(isReachable(candidate(address), { ...INTERNET, privateNetworks: true })).toBe(true);
    },
  );

  test.each([
    [
      'tabs, which hide a name from who splits at spaces',
      'candidate:1\t1\tudp\t1\tfriend.example 50000 typ host 192.0.2.7',
    ],
    ['two spaces', 'candidate:1 1 udp 1  192.0.2.7 50000 typ host'],
    ['a line end', `${candidate('192.0.2.7')}\na=${candidate('127.0.0.1')}`],
    ['TCP', 'candidate:1 1 tcp 1 192.0.2.7 9 typ host tcptype active'],
    ['nothing', ''],
  ])('of another form is refused: %s', (_, line) => expect(isReachable(line, INTERNET)).toBe(false));
});

describe('a session description', () => {
  const told = (...lines: readonly string[]): string =>
    new Candidates(INTERNET, HERE).inDescription(lines.join('\r\n'));

  test('keeps its lines, and some candidates', () => {
    const lines = ['v=0', 'a=ice-ufrag:x', `a=${candidate('192.0.2.7')}`, 'a=end-of-candidates'];
    expect(told(...lines.slice(0, 3), `a=${candidate('friend.example')}`, '')).toBe(
      [...lines.slice(0, 3), ''].join('\r\n'),
    );
  });

  test('[N2.2] and what comes beside it leads to ten addresses at most, and to each once', () => {
    const candidates = new Candidates(INTERNET, HERE);
    const nth = (i: number): string => candidate(`192.0.2.${i}`);
    const lines = Array.from({ length: 40 }, (_, i) => `a=${nth(i % 6)}`);
    expect(candidates.inDescription(lines.join('\r\n')).split('\r\n')).toEqual(lines.slice(0, 6));
    for (const refused of [nth(5), candidate('10.0.0.1'), candidate('friend.example')])
      expect(candidates.takes(refused), refused).toBe(false);
    const taken = Array.from({ length: 200 }, (_, i) => nth(i)).filter((line) => candidates.takes(line));
    expect(taken).toEqual([6, 7, 8, 9].map(nth));
    expect(MOST_CANDIDATES).toBe(10);
  });

  test.each(['\n', '\r', '\n\r', ' \n\t'])('hides no candidate behind another line end: %j', (end) => {
    const line = `a=${candidate('127.0.0.1')}`;
    expect(told(['v=0', line, ` ${line}`, 'a=x'].join(end))).not.toContain('127.0.0.1');
  });
});
