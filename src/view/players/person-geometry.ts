import type { BufferGeometry } from 'three';
import { CapsuleGeometry, LatheGeometry, SphereGeometry, Vector2 } from 'three';
import { chamferedBox } from '../bodies/chamfered-box.ts';
import { joined, painted } from '../light/paint.ts';
import { FOREARM, UPPER_ARM } from './arm.ts';

/** The parts of a person that move, in the order of the material's matrices. */
export const PERSON_JOINTS = [
  'torso',
  'base',
  'head',
  'mouth',
  'eyes',
  'leftUpper',
  'leftFore',
  'leftHand',
  'rightUpper',
  'rightFore',
  'rightHand',
] as const;
export type PersonJoint = (typeof PERSON_JOINTS)[number];

/** Metres, in the geometry: a person stands at the origin and looks along -z, with its arms down. */
export const EYES = [0, 1.6, -0.09] as const;
export const NECK = 1.5;
export const SHOULDER = [0.195, 1.325, 0] as const;
export const ELBOW = SHOULDER[1] - UPPER_ARM;
export const WRIST = ELBOW - FOREARM;
/** The mouth's middle, from the eyes. */
export const MOUTH = [0, -0.072, -0.01] as const;

const DARK = '#23282f';
const CUFF = '#e4e6e8';
/** The shares of white in the colours of the face. */
const FACE_WHITE = 0.78;

/** Radius and height of the body's outline, from the neck down to the hips. It is wider than deep. */
const TORSO = [
  [0.001, 1.475],
  [0.052, 1.47],
  [0.062, 1.43],
  [0.105, 1.395],
  [0.172, 1.36],
  [0.205, 1.31],
  [0.205, 1.24],
  [0.19, 1.1],
  [0.166, 0.95],
  [0.163, 0.85],
] as const;
/** The same, from there to the floor. */
const BASE = [
  [0.215, 0.05],
  [0.21, 0.012],
  [0.18, 0],
  [0.001, 0],
] as const;
/** Depth of the body as a fraction of its width. */
const DEPTH = 0.62;

/** Returns the geometry of a person in a colour, '#rrggbb', each part with the number of its joint. */
export function personGeometry(colour: string): BufferGeometry {
  return joined([
    ...body(colour),
    ...head(colour),
    ...arm(colour, -1, 'leftUpper'),
    ...arm(colour, 1, 'rightUpper'),
  ]);
}

function of(joint: PersonJoint): number {
  return PERSON_JOINTS.indexOf(joint);
}

function body(colour: string): BufferGeometry[] {
  const outline = [...TORSO, ...BASE].map(([radius, y]) => new Vector2(radius, y)).reverse();
  const shape = painted(new LatheGeometry(outline, 22).scale(1, 1, DEPTH), colour, of('torso'));
  const places = shape.getAttribute('position');
  const joints = shape.getAttribute('joint');
  // What lies between the hips and the floor is stretched.
  for (let i = 0; i < places.count; i++) if (places.getY(i) < 0.5) joints.setX(i, of('base'));
  const collar = new LatheGeometry(
    [new Vector2(0.06, 1.425), new Vector2(0.075, 1.44), new Vector2(0.055, 1.46)],
    18,
  );
  return [shape, painted(collar.scale(1, 1, 0.85), CUFF, of('torso'))];
}

function head(colour: string): BufferGeometry[] {
  const at = (geometry: BufferGeometry): BufferGeometry => geometry.translate(...EYES);
  const face = new SphereGeometry(1, 22, 16).scale(0.098, 0.125, 0.112).translate(0, -0.012, 0.085);
  const hair = new SphereGeometry(1, 22, 12, 0, 2 * Math.PI, 0, Math.PI * 0.5)
    .scale(0.105, 0.125, 0.12)
    .rotateX(0.42)
    .translate(0, 0.008, 0.094);
  const eye = (side: number): BufferGeometry =>
    new SphereGeometry(1, 10, 8).scale(0.0125, 0.018, 0.008).translate(side * 0.036, 0, -0.013);
  const mouth = chamferedBox([0.021, 0.0075, 0.006], 0.0055).translate(...MOUTH);
  return [
    painted(at(face), whiter(colour, FACE_WHITE), of('head')),
    painted(at(hair), colour, of('head')),
    painted(at(eye(-1)), DARK, of('eyes')),
    painted(at(eye(1)), DARK, of('eyes')),
    painted(at(mouth), DARK, of('mouth')),
  ];
}

/** @param side -1: left; 1: right. */
function arm(colour: string, side: -1 | 1, upper: 'leftUpper' | 'rightUpper'): BufferGeometry[] {
  const first = of(upper);
  const bone = (radius: number, from: number, to: number): BufferGeometry =>
    new CapsuleGeometry(radius, from - to, 3, 10).translate(side * SHOULDER[0], (from + to) / 2, 0);
  const cuff = bone(0.043, WRIST + 0.04, WRIST + 0.02);
  const hand = new SphereGeometry(1, 12, 10)
    .scale(0.032, 0.062, 0.045)
    .translate(side * SHOULDER[0], WRIST - 0.055, 0);
  return [
    painted(bone(0.052, SHOULDER[1], ELBOW), colour, first),
    painted(bone(0.044, ELBOW, WRIST + 0.03), colour, first + 1),
    painted(cuff, CUFF, first + 1),
    painted(hand, whiter(colour, FACE_WHITE), first + 2),
  ];
}

/** Mixes '#rrggbb' with a share of white. */
function whiter(colour: string, share: number): string {
  const mixed = [1, 3, 5].map((at) => {
    const value = parseInt(colour.slice(at, at + 2), 16);
    return Math.round(value + (245 - value) * share)
      .toString(16)
      .padStart(2, '0');
  });
  return `#${mixed.join('')}`;
}
