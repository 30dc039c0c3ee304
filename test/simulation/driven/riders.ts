import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { RIGHT } from '../../../src/core/base/ids.ts';
import type { Pose } from '../../../src/core/base/math.ts';
import {
  addScaled,
  composePose,
  distance,
  pose,
  relativePose,
  setQuaternion,
  setVector,
  vector,
} from '../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { Bot } from '../../../src/bots/bot.ts';
import type { Peer } from '../../../src/core/peer/peer.ts';
import { NO_CARRIER } from '../../../src/core/peer/driven/carriers.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { RoomHarness } from '../../../src/harness/room.ts';
import { createRapierSimulation } from '../../../src/physics/rapier-simulation.ts';
import { drivenLevel, plate, poseAt } from '../../support/driven-levels.ts';

/** Metres from the pivot to the middle of the platform. */
const RADIUS = 3;
/** The friction of the platform, so that a cube that stood is not left behind when it begins at its full speed. */
const ROUGH = 5;
/** Seconds until all is in its place, and for which it is measured. */
const SETTLES = 5;
const MEASURED = 6;
/** Poses before and after one, of which the average is taken. */
const AROUND = 15;
/** Where the rider's head and right hand are on the platform. */
const HEAD = poseAt([0.6, 1.7, 0.6]);
const HAND = poseAt([0.4, 1.2, 0.3]);

/** A cube that stands on the platform, and one in the rider's hand. */
const [STANDING, HELD] = [0 as BodyId, 1 as BodyId];

/** Something that rides. */
type Rider = 'cube' | 'held' | 'head' | 'hand';
/** How a viewer sees a ride, in mm on the platform as it draws that. */
export type SeenRide = {
  /** By how much each trembles: the root mean square. */
  readonly trembling: Readonly<Record<Rider, number>>;
  /** How far the head is from where its player has it, on average. */
  readonly off: number;
};

/** A rider with two cubes on a platform that circles, and how another player sees it. */
export type RideOptions = {
  /** Metres a second. */
  readonly speed: number;
  readonly rider: Slot;
  readonly viewer: Slot;
  readonly conditions: { readonly latencyMs: number; readonly jitterMs: number; readonly loss?: number };
  /** False: as if packets told no time, for comparison. */
  readonly rides?: boolean;
};

/** Lets a player ride, and looks how another one sees it. */
export function watchRide({ speed, rider, viewer, conditions, rides = true }: RideOptions): SeenRide {
  const period = (2 * Math.PI * RADIUS) / speed;
  const path = { kind: 'turn', pivot: vector(), axis: vector(0, 1, 0), period } as const;
  const level = drivenLevel(
    [{ ...plate([1.6, 0.1, 1.6], [RADIUS, 0.1, 0], path), friction: ROUGH }],
    [
      [RADIUS, 0.46, 0],
      [0, 0.3, 0],
    ],
  );
  const scene = { id: 'ride', seed: 1 };
  const ride: Bot = {
    act: (tick, _, out) => {
      const own = room?.peers[rider];
      if (own === undefined || tick < 2) return;
      const platform = platformOf(own, 1);
      composePose(platform, HEAD, out.head);
      const hand = out.hands[RIGHT];
      hand.tracked = true;
      composePose(platform, HAND, hand.pose);
      if (tick < 120) setVector(hand.pose.position, 0, 0.3, 0);
      hand.grip = tick > 100 ? 1 : 0;
    },
  };
  const idle: Bot = { act: () => undefined };
  const bots = [0, 1, 2].map((slot) => () => (slot === rider ? ride : idle));
  let room: RoomHarness | null = null;
  room = new RoomHarness(
    { players: 3, scene, levels: () => level, bots, seed: 1, conditions, quietFrom: Infinity },
    createRapierSimulation,
  );
  if (!rides) Object.assign(room.peers[viewer].state.bodies.riding.carriers, { find: () => NO_CARRIER });
  const seen = { cube: [] as Pose[], held: [] as Pose[], head: [] as Pose[], hand: [] as Pose[] };
  for (let step = 0; step < (SETTLES + MEASURED) * 60; step++) {
    room.step();
    if (step === 150) putInTheMiddle(room.peers[rider]);
    if (step > SETTLES * 60) look(room.peers[viewer], rider, seen);
  }
  room.dispose();
  const { cube, held, head, hand } = seen;
  const trembling = { cube: spread(cube), held: spread(held), head: spread(head), hand: spread(hand) };
  return { trembling, off: 1000 * distance(meanOf(head), HEAD.position) };
}

/** The rider keeps its cube, in the middle of the platform and as fast: elsewhere the engine lets it creep outwards. */
function putInTheMiddle(peer: Peer): void {
  const [before, now] = [platformOf(peer, 0), platformOf(peer, 1)];
  const linear = addScaled(now.position, before.position, -1, vector());
  setVector(linear, linear.x * 60, 0, linear.z * 60);
  const place = composePose(now, poseAt([0, 0.36, 0]), pose());
  peer.act({ kind: 'keep', body: STANDING, on: true });
  peer.act({ kind: 'teleport', body: STANDING, pose: place });
  peer.act({ kind: 'velocity', body: STANDING, linear, angular: vector() });
}

function platformOf(peer: Peer, alpha: number): Pose {
  const view = peerView(2);
  peer.view(alpha, null, view);
  return read(view.driven, 0);
}

function look(peer: Peer, rider: Slot, seen: Readonly<Record<Rider, Pose[]>>): void {
  const view = peerView(2);
  peer.view(0.5, null, view);
  const platform = read(view.driven, 0);
  const on = (at: Pose): Pose => relativePose(platform, at, pose());
  seen.cube.push(on(read(view.poses, STANDING)));
  seen.held.push(on(read(view.poses, HELD)));
  seen.head.push(on(view.avatars[rider].head));
  seen.hand.push(on(view.avatars[rider].hands[RIGHT].pose));
}

function read(poses: Float32Array, index: number): Pose {
  const [x, y, z, i, j, k, w] = poses.subarray(index * POSE_STRIDE);
  const at = pose();
  setVector(at.position, x, y, z);
  setQuaternion(at.rotation, i, j, k, w);
  return at;
}

/** Millimetres: the root mean square of the distances from where each pose is on the average of half a second around it. */
function spread(poses: readonly Pose[]): number {
  let squares = 0;
  let count = 0;
  for (let i = AROUND; i < poses.length - AROUND; i++) {
    const mean = meanOf(poses.slice(i - AROUND, i + AROUND + 1));
    squares += distance(mean, poses[i].position) ** 2;
    count++;
  }
  return 1000 * Math.sqrt(squares / count);
}

function meanOf(poses: readonly Pose[]): Pose['position'] {
  const mean = vector();
  for (const { position } of poses) addScaled(mean, position, 1 / poses.length, mean);
  return mean;
}
