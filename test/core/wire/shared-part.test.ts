import { expect, test } from 'vitest';
import { MAX_PLAYERS } from '../../../src/core/base/constants.ts';
import { stampOf } from '../../../src/core/shared/author-events.ts';
import { field } from '../../../src/core/shared/field.ts';
import { SharedLayout } from '../../../src/core/shared/layout.ts';
import { sharedSchema } from '../../../src/core/shared/schema.ts';
import { RangeWriter } from '../../../src/core/wire/coder/range-writer.ts';
import {
  bitsOfEvent,
  codeShared,
  MAX_PACKET_EVENTS,
  PART_BITS,
  SharedPart,
} from '../../../src/core/wire/shared/shared-part.ts';

const SCHEMA = sharedSchema({
  room: { round: field.number({ from: 0, to: 9 }) },
  events: { horn: { number: field.number({ from: 0, to: 255 }) } },
});

test('[V3.5] a part takes no more bits than its events and its own need, at most', () => {
  const part = new SharedPart(new SharedLayout(SCHEMA, 4));
  part.isComplete = true;
  const tick = 2000;
  // One event of each of as many authors as fit, as old as it may be.
  for (let slot = 0; slot < MAX_PACKET_EVENTS; slot++) {
    part.authors[slot] = slot;
    part.stamps[slot] = stampOf(tick - 600, 7);
    part.eventCount++;
  }
  const most = part.eventCount * bitsOfEvent(part.layout, 0, part.eventWords, 0);
  const writer = new RangeWriter(1000);
  codeShared(writer, part, new Int32Array(MAX_PLAYERS).fill(tick));
  expect(writer.written).toBeLessThanOrEqual(most + PART_BITS);
  part.eventCount = 0;
  writer.clear();
  codeShared(writer, part, new Int32Array(MAX_PLAYERS).fill(tick));
  // Where hardly ever is a part, a first one takes a few bits more than it has.
  expect(writer.written).toBeGreaterThan(3 + MAX_PLAYERS);
  expect(writer.written).toBeLessThanOrEqual(PART_BITS);
});
