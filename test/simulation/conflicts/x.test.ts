import { expect, test } from 'vitest';
import { CUBES, setStage, tower } from '../../support/stage.ts';
for (const dz of [0.1, 0.3, 0.6, 1, 3]) for (const wait of [1, 2, 30])
test(`jump ${dz} after ${wait}`, async () => {
  const stage = await setStage({ guests: 1, cubes: tower(3) });
  const [lowest, mid, top] = CUBES;
  stage.guest(1).grabs(lowest);
  for (let i = 0; i < wait; i++) stage.tick();
  stage.guest(1).input.hands[1].pose.position.z += dz;
  stage.letPass(2);
  console.log(dz, wait, 'mid', stage.guest(1).says(mid).position[1].toFixed(2), stage.host.says(mid).position[1].toFixed(2), stage.guest(1).says(mid).resting, stage.guest(1).says(mid).asleep, stage.guest(1).says(mid).authority);
});
