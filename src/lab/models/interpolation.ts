import type { LabModel } from '../lab-model.ts';
import {
  CachedPlayback,
  ConstantSpeedPlayback,
  HermitePlayback,
  LinearPlayback,
} from '../network/playback.ts';
import { createDrawnGame } from './server.ts';

/**
 * Snapshot interpolation. A server simulates. Clients draw between the snapshots that arrive, a little behind,
 * and so smoothly even where few arrive. Yahn Bernier describes it for Half-Life ("Latency Compensating
 * Methods", 2001), Glenn Fiedler for physics ("Snapshot Interpolation", 2014). There are four ways from one
 * snapshot to the next.
 */
const SUITS =
  'Watching: other players, spectators, replays; worlds of many bodies on weak machines, which simulate nothing.';

export const linearInterpolation: LabModel = {
  id: 'interpolation-linear',
  title: 'Interpolation, no buffer',
  look: 'Each snapshot starts a straight line to it as it comes. With jitter, bodies go faster and slower by turns.',
  suits: SUITS,
  engine: 'fastest',
  rate: 20,
  create: (setup) => createDrawnGame(setup, (bodies) => new LinearPlayback(bodies)),
};

export const constantInterpolation: LabModel = {
  id: 'interpolation-constant',
  title: 'Interpolation, linear',
  look: 'Straight lines between snapshots, behind a buffer of two: bodies keep the speed at which they were sent, whatever the jitter. Without news they go on for 100 ms; over a gap of 300 ms they jump.',
  suits: SUITS,
  engine: 'fastest',
  rate: 20,
  create: (setup) => createDrawnGame(setup, (bodies) => new ConstantSpeedPlayback(bodies, setup.sendEvery)),
};

export const cachedInterpolation: LabModel = {
  id: 'interpolation-cached',
  title: 'Interpolation, cache of two',
  look: 'Straight lines with two snapshots in a cache and no clock but their arrivals: a late snapshot leaves it later for a while, and it catches up.',
  suits: SUITS,
  engine: 'fastest',
  rate: 20,
  create: (setup) => createDrawnGame(setup, (bodies) => new CachedPlayback(bodies)),
};

export const hermiteInterpolation: LabModel = {
  id: 'interpolation-hermite',
  title: 'Interpolation, Hermite',
  look: 'A curve by the velocities, behind a buffer that widens with the jitter: smooth at ten snapshots a second. It costs 100 ms more.',
  suits: SUITS,
  engine: 'fastest',
  rate: 20,
  create: (setup) => createDrawnGame(setup, () => new HermitePlayback(setup.sendEvery)),
};
