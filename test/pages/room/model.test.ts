import { expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import type { RoomModel } from '../../../src/pages/room/model.ts';
import { colourKept } from '../../../src/pages/room/model.ts';

const [HOST, GUEST] = [0, 1] as Slot[];
type Asked = Omit<Parameters<typeof colourKept>[0], 'isPractice'>;

function players(...present: readonly ('here' | 'away')[]): Asked['players'] {
  return present.map((presence, slot) => ({ slot, presence })) as unknown as RoomModel['players'];
}

test.each<[string, Asked, RegExp | null]>([
  ['a guest', { you: GUEST, host: HOST, locked: false, players: players('here', 'here') }, null],
  [
    'a guest of a locked room',
    { you: GUEST, host: HOST, locked: true, players: players('here', 'here') },
    /locked/,
  ],
  ['a host with a guest', { you: HOST, host: HOST, locked: false, players: players('here', 'here') }, /host/],
  [
    'a host whose guest is away',
    { you: HOST, host: HOST, locked: true, players: players('here', 'away') },
    null,
  ],
  ['a host alone', { you: HOST, host: HOST, locked: false, players: players('here') }, null],
])('%s may change its colour, or reads why not', (_, model, reason) => {
  if (reason === null) expect(colourKept({ ...model, isPractice: false })).toBeNull();
  else expect(colourKept({ ...model, isPractice: false })).toMatch(reason);
});
