import type { BufferGeometry } from 'three';
import { CapsuleGeometry, CylinderGeometry, LatheGeometry, SphereGeometry, Vector2 } from 'three';
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
export const SHOULDER = [0.192, 1.305, 0] as const;
export const ELBOW = SHOULDER[1] - UPPER_ARM;
const WRIST = ELBOW - FOREARM;
/** The mouth's middle, from the eyes. */
export const MOUTH = [0, -0.078, -0.012] as const;

const DARK = '#23282f';
const CUFF = '#e4e6e8';
const TROUSERS = '#5b6570';
/** The shares of white in the colours of the face. */
const FACE_WHITE = 0.78;

/** Radius and height of the trunk's outline, from the neck down to the hips. It is wider than deep. */
const TRUNK = [
  [0.001, 1.475],
  [0.055, 1.47],
  [0.066, 1.43],
  [0.12, 1.39],
  [0.17, 1.355],
  [0.195, 1.31],
  [0.2, 1.24],
  [0.187, 1.1],
  [0.17, 0.95],
  [0.17, 0.84],
  [0.165, 0.815],
  [0.001, 0.81],
] as const;
/** Depth of the trunk as a fraction of its width. */
const DEPTH = 0.64;
/** Metres from the middle to a leg, its radius at the hip and at the floor, and the height of the hip. */
const LEG = { aside: 0.082, hip: 0.075, foot: 0.056, top: 0.86 } as const;

/** Returns the geometry of a person in a colour, '#rrggbb', each part with the number of its joint. */
export function personGeometry(colour: string): BufferGeometry {
  return joined([
    ...body(colour),
    ...head(colour),
    ...arm(colour, -1, 'leftUpper'),
    ...arm(colour, 1, 'rightUpper'),
  ]);
}

/** Returns the colour of the face and the hands of a person in a colour, '#rrggbb'. */
export function skinOf(colour: string): string {
  return whiter(colour, FACE_WHITE);
}

function of(joint: PersonJoint): number {
  return PERSON_JOINTS.indexOf(joint);
}

function body(colour: string): BufferGeometry[] {
  const outline = TRUNK.map(([radius, y]) => new Vector2(radius, y)).reverse();
  const trunk = new LatheGeometry(outline, 22).scale(1, 1, DEPTH);
  const collar = new LatheGeometry(
    [new Vector2(0.064, 1.425), new Vector2(0.08, 1.44), new Vector2(0.058, 1.462)],
    18,
  );
  return [
    painted(trunk, colour, of('torso')),
    painted(collar.scale(1, 1, 0.85), CUFF, of('torso')),
    ...[-1, 1].flatMap(leg),
  ];
}

/** A leg and its shoe. What lies between the hip and the floor is stretched. */
function leg(side: number): BufferGeometry[] {
  const { aside, hip, foot, top } = LEG;
  const shape = painted(
    new CylinderGeometry(hip, foot, top - 0.05, 14).translate(side * aside, (top + 0.05) / 2, 0),
    TROUSERS,
    of('torso'),
  );
  const joints = shape.getAttribute('joint');
  const places = shape.getAttribute('position');
  for (let i = 0; i < places.count; i++) if (places.getY(i) < top / 2) joints.setX(i, of('base'));
  const shoe = new SphereGeometry(1, 14, 10, 0, 2 * Math.PI, 0, Math.PI / 2)
    .scale(0.068, 0.085, 0.125)
    .translate(side * aside, 0, -0.045);
  return [shape, painted(shoe, CUFF, of('base'))];
}

function head(colour: string): BufferGeometry[] {
  const at = (geometry: BufferGeometry): BufferGeometry => geometry.translate(...EYES);
  const face = new SphereGeometry(1, 24, 18).scale(0.116, 0.142, 0.128).translate(0, -0.008, 0.098);
  const hair = new SphereGeometry(1, 24, 14, 0, 2 * Math.PI, 0, Math.PI * 0.52)
    .scale(0.125, 0.142, 0.138)
    .rotateX(0.5)
    .translate(0, 0.012, 0.108);
  const eye = (side: number): BufferGeometry =>
    new SphereGeometry(1, 12, 10).scale(0.0165, 0.0225, 0.009).translate(side * 0.044, 0, -0.0145);
  const mouth = chamferedBox([0.027, 0.0075, 0.007], 0.006).translate(...MOUTH);
  return [
    painted(at(face), skinOf(colour), of('head')),
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
    painted(hand, skinOf(colour), first + 2),
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
