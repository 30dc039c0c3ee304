import { beforeEach, describe, expect, test } from 'vitest';
import { MAX_BASELINE_AGE, TICK_RATE } from '../../../../src/core/base/constants.ts';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { ReceiverState } from '../../../../src/core/peer/outgoing/receiver-state.ts';
import { avatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import { bodyUpdate } from '../../../../src/core/wire/bodies/update.ts';

const [A, B] = [0, 1] as BodyId[];
const ADA = 3 as Slot;
let receiver: ReceiverState;

beforeEach(() => {
  receiver = new ReceiverState(2, TICK_RATE);
});

/** Sends a packet with body A, and Ada's avatar if it has a name or none. */
function send(packet: number, name: string | null = null): void {
  receiver.begin(packet);
  const avatar = name === null ? null : { ...avatarSample(), name: new TextEncoder().encode(name) };
  receiver.putPlayer(packet, ADA, { tick: packet, shift: 0, avatar, isAvatarless: false });
  receiver.putBody(packet, { ...bodyUpdate(), body: A, kind: 'motion' }, packet);
  receiver.sent(packet);
}

describe('the baselines of a packet', () => {
  test('[W4.2] are in the newest packets that were acked, in whatever order the acks came', () => {
    expect([receiver.baseAge(9), receiver.bodyBaselineAge(9, A), receiver.avatarBaselineAge(9, ADA)]).toEqual(
      [0, 0, 0],
    );
    send(3, '');
    send(4);
    send(5);
    receiver.acked(4);
    receiver.acked(3);
    expect(receiver.baseAge(9)).toBe(5);
    expect(receiver.bodyBaselineAge(9, A)).toBe(5);
    expect(receiver.bodyBaselineAge(9, B)).toBe(0);
    expect(receiver.avatarBaselineAge(9, ADA)).toBe(6);
  });

  test('[W4.2] are none in packets that are too old for the wire', () => {
    send(3, '');
    receiver.acked(3);
    const ages = (packet: number): number[] => [
      receiver.baseAge(packet),
      receiver.avatarBaselineAge(packet, ADA),
    ];
    expect(ages(3 + MAX_BASELINE_AGE)).toEqual([MAX_BASELINE_AGE, MAX_BASELINE_AGE]);
    expect(ages(4 + MAX_BASELINE_AGE)).toEqual([0, 0]);
  });

  test('[W4.2] [H8.8] are none after a reset, and no ack of an earlier packet changes that', () => {
    send(3, '');
    send(4, '');
    receiver.acked(3);
    receiver.reset();
    receiver.acked(4);
    expect([receiver.baseAge(9), receiver.bodyBaselineAge(9, A), receiver.avatarBaselineAge(9, ADA)]).toEqual(
      [0, 0, 0],
    );
  });

  test('[W4.2] are none of bodies that were taken back', () => {
    receiver.begin(3);
    receiver.putBody(3, { ...bodyUpdate(), body: A }, 1);
    expect(receiver.bodiesIn(3)).toBe(1);
    receiver.takeBackBodies(3);
    expect(receiver.bodiesIn(3)).toBe(0);
    receiver.sent(3);
    receiver.acked(3);
    expect([receiver.baseAge(4), receiver.bodyBaselineAge(4, A)]).toEqual([1, 0]);
    expect(receiver.packets.kindIn(3, A)).toBe(-1);
  });
});

describe('the name of a player', () => {
  const hasName = (): boolean => receiver.players[ADA].hasName;

  test('is known once a packet with it was acked, also after a reset', () => {
    send(3, '');
    send(4, 'Ada');
    receiver.acked(3);
    expect(hasName()).toBe(false);
    receiver.acked(4);
    expect(hasName()).toBe(true);
    receiver.reset();
    expect(hasName()).toBe(true);
  });

  test('[T3.4] is unknown again once the player has left, though a packet with it is acked later', () => {
    send(3, 'Ada');
    send(4, 'Ada');
    receiver.acked(3);
    receiver.forgetPlayer(ADA);
    receiver.acked(4);
    expect(hasName()).toBe(false);
    expect(receiver.players[ADA].tick).toBe(-1);
  });
});
