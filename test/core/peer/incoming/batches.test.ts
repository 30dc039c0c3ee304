import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { beforeEach, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { BatchBuffer } from '../../../../src/core/peer/incoming/batches.ts';
import { AGE_STEPS, avatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import type { BodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';

/** Updates as `body@tick:x`, avatars as `avatar@time`, in the order of their delivery. */
let delivered: string[];
let batches: BatchBuffer;

beforeEach(() => {
  delivered = [];
  batches = new BatchBuffer(
    TICK_RATE,
    ({ body, tick, state }) => delivered.push(`${body}@${tick}:${state[0]}`),
    ({ time }) => delivered.push(`avatar@${time}`),
  );
});

function update(body: number, tick: number, x = 0): BodyUpdate {
  const at = bodyUpdate();
  at.state[0] = x;
  return Object.assign(at, { body: body as BodyId, tick, kind: 'motion' as const });
}

test('[T3.2] a batch is delivered once its tick is due: its updates, then its avatar at its moment', () => {
  batches.addAvatar(5, { ...avatarSample(), age: AGE_STEPS / 2 });
  batches.addUpdate(update(2, 5));
  batches.addUpdate(update(1, 5));
  batches.addUpdate(update(1, 6));
  batches.deliver(4.9);
  expect(delivered).toEqual([]);
  expect(batches.waitingAvatar(5)?.time).toBe(4.5);
  batches.deliver(5);
  expect(delivered).toEqual(['1@5:0', '2@5:0', 'avatar@4.5']);
  expect([batches.waitingAvatar(5), batches.newest]).toEqual([null, 6]);
});

test('of two updates of one body and tick the later is delivered, wherever it is in the batch', () => {
  for (const body of [3, 1, 2, 7, 5]) batches.addUpdate(update(body, 5, 1));
  for (const body of [1, 5, 7]) batches.addUpdate(update(body, 5, 2));
  batches.deliver(5);
  expect(delivered).toEqual(['1@5:2', '2@5:1', '3@5:1', '5@5:2', '7@5:2']);
});

test('updates that must make room for newer ones are delivered early, but not their avatar', () => {
  batches.addUpdate(update(1, 5));
  batches.addAvatar(5, avatarSample());
  batches.addUpdate(update(1, 5 + 128));
  expect(delivered).toEqual(['1@5:0']);
  batches.deliver(200);
  expect(delivered).toEqual(['1@5:0', '1@133:0']);
});

test('nothing is delivered after a reset', () => {
  batches.addUpdate(update(1, 5));
  batches.addAvatar(6, avatarSample());
  batches.reset();
  batches.deliver(10);
  expect(delivered).toEqual([]);
});
