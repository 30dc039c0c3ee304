import { expect, test } from 'vitest';
import type { BodyId, Sequence } from '../../../../src/core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../../src/core/base/ids.ts';
import { fromAxisAngle, pose, setVector, vector } from '../../../../src/core/base/math.ts';
import { isVisibleChange } from '../../../../src/core/peer/outgoing/visible-change.ts';
import type { AvatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import { avatarSample } from '../../../../src/core/wire/avatar/avatar.ts';
import { quantisePose } from '../../../../src/core/wire/bodies/quantise.ts';

/** A player whose right hand is at x metres, turned by so many degrees about the vertical. */
function player(x = 0, degrees = 0, change: (avatar: AvatarSample) => void = () => {}): AvatarSample {
  const avatar = avatarSample();
  const at = pose();
  setVector(at.position, 1 + x, 1, 0);
  fromAxisAngle(vector(0, 1, 0), ((20 + degrees) * Math.PI) / 180, at.rotation);
  quantisePose(pose(), avatar.head, 0);
  avatar.hands[RIGHT].tracked = true;
  quantisePose(at, avatar.hands[RIGHT].pose, 0);
  change(avatar);
  return avatar;
}

test('[W8.2] a hand that shakes by 4 mm and half a degree is still; one that moves or turns is not', () => {
  expect(isVisibleChange(player(), player(0.004, 0.5))).toBe(false);
  expect(isVisibleChange(player(), player(0.007))).toBe(true);
  expect(isVisibleChange(player(), player(0, 3))).toBe(true);
});

test('[W8.3] any movement of a hand that holds a body counts, and so does a change of the body or its offset', () => {
  const holds = (avatar: AvatarSample): void => void (avatar.hands[RIGHT].held = 3 as BodyId);
  expect(isVisibleChange(player(0, 0, holds), player(0, 0, holds))).toBe(false);
  expect(isVisibleChange(player(0, 0, holds), player(0.002, 0, holds))).toBe(true);
  expect(isVisibleChange(player(), player(0, 0, holds))).toBe(true);
  expect(isVisibleChange(player(0, 0, holds), player())).toBe(true);
  const farther = (avatar: AvatarSample): void => {
    holds(avatar);
    avatar.hands[RIGHT].offset[2] = 3;
  };
  expect(isVisibleChange(player(0, 0, holds), player(0, 0, farther))).toBe(true);
  const newer = (avatar: AvatarSample): void => {
    holds(avatar);
    avatar.hands[RIGHT].ownershipSequence = 1 as Sequence;
  };
  expect(isVisibleChange(player(0, 0, holds), player(0, 0, newer))).toBe(true);
});

test('[W8.2] [W8.3] movements of fingers and head count; the voice does not', () => {
  const changes: ((avatar: AvatarSample) => void)[] = [
    (avatar) => (avatar.hands[RIGHT].grip = 20),
    (avatar) => (avatar.hands[RIGHT].trigger = 20),
    (avatar) => (avatar.hands[RIGHT].pointing = true),
    (avatar) => (avatar.hands[RIGHT].thumbUp = true),
    (avatar) => (avatar.hands[RIGHT].tracked = false),
    (avatar) => (avatar.hands[RIGHT].reach = 2 as BodyId),
    (avatar) => (avatar.head[0] += 100),
  ];
  for (const change of changes)
    expect(isVisibleChange(player(), player(0, 0, change)), change.toString()).toBe(true);
  expect(player().hands[RIGHT].reach).toBe(NO_BODY);
  expect(
    isVisibleChange(
      player(),
      player(0, 0, (avatar) => (avatar.voice = 15)),
    ),
  ).toBe(false);
});
