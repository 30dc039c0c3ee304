import type { BodyId } from '../../base/ids.ts';
import { pose, rotate, vector } from '../../base/math.ts';
import { poseIn } from '../../base/motion.ts';
import { STRIDE } from '../../base/state.ts';
import { templateOf } from '../../world/existence.ts';
import type { InnerBall } from '../../world/extent/inner-ball.ts';
import { ballInside } from '../../world/extent/inner-ball.ts';
import type { Level, Template } from '../../world/level.ts';
import { dequantiseMotion } from '../bodies/quantise.ts';

/** Two bodies lie inside one another if their inner balls are closer than this part of their radii together. */
const TOO_CLOSE = 0.9;
/** Pairs of such bodies that a world may have: hands can push some of them into others. */
const MOST_PAIRS = 256;

/** The inner ball of a body in the world, in metres; its radius is already cut to TOO_CLOSE. */
type Ball = { readonly x: number; readonly y: number; readonly z: number; readonly radius: number };

/**
 * True if more bodies lie inside one another than play can bring about. The engine compares all bodies that overlap: a
 * thousand in one place would stop a page for minutes. Its time grows in proportion to the count of bodies, if their
 * sizes are alike.
 * @param existence [S1] of each id: ids without a body do not count.
 * @param state STRIDE whole numbers for each id [W2].
 */
export function isCrowded(level: Level, existence: Uint16Array, state: Int32Array): boolean {
  const balls = ballsOf(level, existence, state);
  const width = Math.max(1e-3, 2 * balls.reduce((most, { radius }) => Math.max(most, radius), 0));
  const cells = new Map<string, Ball[]>();
  let pairs = 0;
  for (const ball of balls) {
    const [x, y, z] = [ball.x, ball.y, ball.z].map((metres) => Math.floor(metres / width));
    for (const [i, j, k] of NEIGHBOURS) {
      for (const other of cells.get(`${x + i} ${y + j} ${z + k}`) ?? [])
        if (areInside(ball, other) && ++pairs > MOST_PAIRS) return true;
    }
    const here = cells.get(`${x} ${y} ${z}`);
    if (here === undefined) cells.set(`${x} ${y} ${z}`, [ball]);
    else here.push(ball);
  }
  return false;
}

function ballsOf(level: Level, existence: Uint16Array, state: Int32Array): Ball[] {
  const inner = new Map<Template, InnerBall>();
  const balls: Ball[] = [];
  for (let body = 0 as BodyId; body < existence.length; body++) {
    const template = templateOf(level, body, existence[body]);
    if (template === null) continue;
    const { centre, radius } = inner.get(template) ?? ballInside(template.shape);
    inner.set(template, { centre, radius });
    dequantiseMotion(state, body * STRIDE, motion, 0);
    const { position, rotation } = poseIn(motion, 0 as BodyId, at);
    rotate(rotation, centre, away);
    const [x, y, z] = [position.x + away.x, position.y + away.y, position.z + away.z];
    balls.push({ x, y, z, radius: radius * TOO_CLOSE });
  }
  return balls;
}

function areInside(a: Ball, b: Ball): boolean {
  const [x, y, z] = [a.x - b.x, a.y - b.y, a.z - b.z];
  const width = a.radius + b.radius;
  return x * x + y * y + z * z < width * width;
}

const SIDES = [-1, 0, 1];
/** From a cell to those around it, and to itself. */
const NEIGHBOURS = SIDES.flatMap((x) => SIDES.flatMap((y) => SIDES.map((z) => [x, y, z] as const)));
/** Work space of ballsOf. */
const motion = new Float32Array(STRIDE);
const at = pose();
const away = vector();
