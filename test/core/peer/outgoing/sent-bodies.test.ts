import { TICK_RATE } from '../../../../src/core/base/constants.ts';
import { beforeEach, describe, expect, test } from 'vitest';
import { BodySet } from '../../../../src/core/base/body-set.ts';
import type { BodyId, Sequence } from '../../../../src/core/base/ids.ts';
import { NO_BODY } from '../../../../src/core/base/ids.ts';
import type { Need } from '../../../../src/core/peer/outgoing/sent-bodies.ts';
import { SentBodies } from '../../../../src/core/peer/outgoing/sent-bodies.ts';
import type { BodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';
import { copyUpdate } from '../../../support/updates.ts';

const A = 0 as BodyId;

describe('[W5] the need of a body', () => {
  const moving = { ...bodyUpdate(), body: A, kind: 'motion' as const };
  const claimed = { ...moving, claim: { ...moving.claim, authoritySequence: 1 as Sequence } };
  const resting = { ...claimed, kind: 'rest' as const };
  let sent: SentBodies;

  beforeEach(() => {
    sent = new SentBodies(1, TICK_RATE);
  });

  /** The need at a version at which the source has this update, or nothing to send. */
  function needAt(version: number, update: BodyUpdate | null, insists = false): Need {
    return sent.needOf(A, version, {
      versions: Int32Array.of(version),
      changed: new BodySet(1),
      describe: (_, out) => {
        if (update !== null) copyUpdate(update, out);
        return update !== null;
      },
      partsOf: (body) => [body],
      insists: () => insists,
      urgency: () => 0,
    });
  }

  function send(packet: number, update: BodyUpdate, version: number): void {
    sent.begin(packet);
    sent.put(packet, update, version);
    sent.leaves(A);
  }

  test('[W5.8] of a moving body is motion once it was sent as moving, and now with another claim', () => {
    expect(needAt(1, moving)).toBe('now');
    send(7, moving, 1);
    expect(needAt(1, null)).toBe('motion');
    expect(needAt(2, moving)).toBe('motion');
    expect(needAt(2, claimed)).toBe('now');
  });

  test('[W5.6] [W5.7] of a resting body is now twice, then later until an ack is overdue, and none once it is acked', () => {
    send(7, resting, 1);
    expect(needAt(1, resting)).toBe('now');
    send(8, resting, 1);
    for (let tick = 0; tick < 5; tick++) {
      expect(needAt(1, resting)).toBe('later');
      sent.nextTick(new BodySet(1));
    }
    expect(needAt(1, resting)).toBe('now');
    sent.acked(7);
    expect(needAt(1, resting)).toBe('none');
    expect(sent.ackedPacketOf(A)).toBe(7);
  });

  test('[H10.1] [A7.4] [A7.7] is now while the receiver disputes it or the source insists', () => {
    send(7, resting, 1);
    sent.acked(7);
    sent.settle(A);
    expect(needAt(1, resting, true)).toBe('now');
    expect(sent.nextOpen(NO_BODY)).toBe(NO_BODY);
    sent.dispute(A);
    expect(sent.nextOpen(NO_BODY)).toBe(A);
    expect(needAt(1, resting)).toBe('now');
    send(8, resting, 1);
    expect(needAt(1, resting)).toBe('none');
  });

  test('is none if there is nothing to send', () => {
    expect(needAt(1, null)).toBe('none');
  });

  test.each([claimed, resting])(
    'is as before the first packet if the packet was too long for it: %#',
    (update) => {
      send(7, moving, 1);
      send(8, update, 2);
      sent.takeBack(A);
      sent.acked(7);
      expect(needAt(2, update)).toBe('now');
    },
  );
});
