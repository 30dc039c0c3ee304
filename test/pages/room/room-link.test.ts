import { afterEach, expect, test, vi } from 'vitest';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { showRoomAddress } from '../../../src/pages/room/room-link.ts';

afterEach(() => vi.unstubAllGlobals());

test('the address of a room is written once, however often it is shown', () => {
  const location = { search: '' };
  const replaceState = vi.fn((_: unknown, __: string, query: string) => void (location.search = query));
  vi.stubGlobal('location', location);
  vi.stubGlobal('history', { replaceState });
  for (let i = 0; i < 300; i++) showRoomAddress('ABCDE' as RoomCode, null);
  expect(location.search).toBe('?room=ABCDE');
  showRoomAddress('FGHJK' as RoomCode, null);
  expect(replaceState).toHaveBeenCalledTimes(2);
});
