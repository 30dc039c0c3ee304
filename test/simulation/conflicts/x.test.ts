import { expect, test } from 'vitest';
import { apart, CUBES, setStage, tower } from '../../support/stage.ts';
const [cube] = CUBES;
for (const bodiless of [false, true]) for (const n of [1,4])
test(`${bodiless} ${n}`, async () => {
  let t = performance.now();
  const lap = (w: string) => { console.log(bodiless, n, w, Math.round(performance.now() - t)); t = performance.now(); };
  const stage = await setStage({ guests: 2, cubes: tower(n), bodiless });
  lap('set');
  stage.letPass(1);
  lap('1s');
  stage.guest(1).grabs(cube);
  stage.letPass(1);
  lap('1s');
  stage.letAllRest();
  lap('rest' + stage.now);
  expect(stage).toAgree();
});
