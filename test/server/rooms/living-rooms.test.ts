import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import type { KeptDoor } from '../../../src/dedicated/snapshots/kept-doors.ts';
import { founderSecret } from '../../../src/server/rooms/founder-secret.ts';
import { LivingRooms } from '../../../src/server/rooms/living-rooms.ts';
import { keyOf } from '../../support/keys.ts';
import { temporaryFolder } from '../folders.ts';

const [A, B] = ['ACDEF', 'ACDEG'] as RoomCode[];

function kept(founder: string | null, ...codes: readonly RoomCode[]): KeptDoor[] {
  return codes.map((code) => ({ code, secret: 'secret', founder, key: keyOf(code) }));
}

test('[N3.6] the key of a room that is here, or kept, is found by its code, and that of no other', () => {
  const living = new LivingRooms(2, 'a secret');
  expect(living.keyOf(A)).toBeNull();
  living.keep(kept(null, A));
  expect([living.keyOf(A), living.keyOf(B)]).toEqual([keyOf(A), null]);
  // A room that is not kept is there until it ends.
  const room = living.begin('192.0.2.0/24');
  room?.opened(B, keyOf(B));
  expect(living.keyOf(B)).toBe(keyOf(B));
  room?.ended();
  expect(living.keyOf(B)).toBeNull();
});

describe('[N4.1] the rooms of a network', () => {
  test('count while they are kept, also if their process is dead; each counts once', () => {
    const living = new LivingRooms(2, 'a secret');
    const one = living.nameOf('192.0.2.0/24');
    const first = living.begin('192.0.2.0/24');
    const second = living.begin('192.0.2.0/24');
    expect(living.begin('192.0.2.0/24')).toBeNull();
    first?.opened(A, keyOf(A));
    second?.opened(B, keyOf(B));
    living.keep(kept(one, A, B));
    expect(living.begin('192.0.2.0/24')).toBeNull();
    living.keep(kept(one, A));
    second?.ended();
    const third = living.begin('192.0.2.0/24');
    expect(third).not.toBeNull();
    third?.ended();
    // Its process has died.
    first?.ended();
    expect(living.begin('192.0.2.0/24')).not.toBeNull();
    expect(living.begin('192.0.2.0/24'), 'one is kept, one was ordered').toBeNull();
    living.keep([]);
    expect(living.begin('192.0.2.0/24')).not.toBeNull();
  });

  test('count for that network alone, and for nobody if it is not known', () => {
    const living = new LivingRooms(1, 'a secret');
    living.keep([...kept(living.nameOf('192.0.2.0/24'), A), ...kept(null, B)]);
    expect(living.begin('192.0.2.0/24')).toBeNull();
    expect(living.begin('198.51.100.0/24')).not.toBeNull();
  });

  test('are kept under a name that only this server can make', () => {
    const living = new LivingRooms(1, 'a secret');
    expect(living.nameOf('192.0.2.0/24')).toMatch(/^[\da-f]{32}$/);
    expect(living.nameOf('192.0.2.0/24')).not.toBe(new LivingRooms(1, 'another').nameOf('192.0.2.0/24'));
    expect(living.nameOf('192.0.2.0/24')).not.toBe(living.nameOf('192.0.3.0/24'));
  });
});

describe('the secret of networks', () => {
  test('is the same again from the same folder, for its owner’s eyes, and another elsewhere', async () => {
    const folder = join(temporaryFolder(), 'rooms');
    const secret = await founderSecret(folder);
    expect(await founderSecret(folder)).toBe(secret);
    expect(await founderSecret(null)).not.toBe(secret);
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    const path = join(folder, 'networks.secret');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    writeFileSync(path, 'half');
    const next = await founderSecret(folder);
    expect(next).toMatch(/^[\da-f]{64}$/);
    expect(readFileSync(path, 'utf8')).toBe(next);
  });

  test('is there without a folder that can be written', async () => {
    const written = vi.spyOn(console, 'error').mockImplementation(() => undefined);
    onTestFinished(() => written.mockRestore());
    const folder = join(temporaryFolder({ file: 'no folder' }), 'file');
    expect(await founderSecret(folder)).toMatch(/^[\da-f]{64}$/);
    expect(written).toHaveBeenCalledOnce();
  });
});
