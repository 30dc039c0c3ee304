import { expect, test } from 'vitest';
import type { Member } from '../../../src/cluster/members.ts';
import type { ProcessId } from '../../../src/cluster/keys.ts';
import { leastLoaded } from '../../../src/server/cluster/placing.ts';
import { addressForOthers, networkAddresses } from '../../../src/server/addresses.ts';

/** The version of all processes but one. */
const PROTOCOL = 5;

function member(id: string, rooms: number, most: number, tickMs = 1, protocol = PROTOCOL): Member {
  return { id: id as ProcessId, url: 'http://127.0.0.1:1/', rooms, most, tickMs, protocol };
}

test('[N9.8] a room goes to the process that uses the smallest share of its places', () => {
  expect(leastLoaded([member('small', 2, 4), member('large', 5, 16)], PROTOCOL)?.id).toBe('large');
  expect(leastLoaded([member('large', 9, 16), member('small', 2, 4)], PROTOCOL)?.id).toBe('small');
});

test('[N9.8] none goes to a process that is full, that takes none, or whose ticks take three quarters of their time', () => {
  expect(
    leastLoaded([member('full', 4, 4), member('ends', 0, 0), member('busy', 0, 4, 12.5)], PROTOCOL),
  ).toBeNull();
  expect(leastLoaded([member('full', 4, 4), member('nearly busy', 3, 4, 12.4)], PROTOCOL)?.id).toBe(
    'nearly busy',
  );
  expect(leastLoaded([], PROTOCOL)).toBeNull();
});

test('[N9.9] a new room goes to a process of its version only', () => {
  const members = [member('newer', 0, 4, 1, PROTOCOL + 1), member('same', 3, 4)];
  expect(leastLoaded(members, PROTOCOL)?.id).toBe('same');
  expect(leastLoaded(members, PROTOCOL + 1)?.id).toBe('newer');
  expect(leastLoaded(members, PROTOCOL + 2)).toBeNull();
});

test('[N9.1] a process tells the others an address of its machine, unless it listens at one alone', () => {
  expect(addressForOthers('ws://127.0.0.1:5173/', '127.0.0.1')).toBe('http://127.0.0.1:5173/');
  expect(addressForOthers('wss://10.0.0.7:5174/', '10.0.0.7')).toBe('https://10.0.0.7:5174/');
  const [first = 'localhost'] = networkAddresses();
  const host = first.includes(':') ? `[${first}]` : first;
  expect(addressForOthers('ws://localhost:5173/', undefined)).toBe(`http://${host}:5173/`);
});
