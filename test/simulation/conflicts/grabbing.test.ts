import { expect, test } from 'vitest';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [cube] = CUBES;

test('[A6] two guests grab one cube in the same tick: the one that the host hears first holds it', async () => {
  const stage = await setStage({ guests: 2, cubes: apart(1) });
  stage.guest(2).uplink.latencyMs = 80;
  stage.guest(1).grabs(cube);
  stage.guest(2).grabs(cube);
  stage.letPass(0.05);
  expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([true, true]);
  stage.letPass(0.5);
  expect([stage.guest(1).holds(cube), stage.guest(2).holds(cube)]).toEqual([true, false]);
  expect(stage.host.says(cube)).toMatchObject({ authority: 1, holder: { slot: 1, hand: 'right' } });
  stage.letAllRest();
  expect(stage).toAgree();
});
