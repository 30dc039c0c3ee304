import RAPIER from '@dimforge/rapier3d-compat';
import { peerView, RIGHT } from 'handover';
import { createSimulation } from 'handover/rapier';
import { positionOf, Referee, RoomHarness, SharedReferee } from 'handover/testing';
import { BALLS, catapultLevel } from './level.js';
import { judge, schema } from './rules.js';

await RAPIER.init();

/** Ticks of a shot, of play, and until all has come to rest. */
const [SHOT, PLAY, END] = [660, 1980, 2600];
/** Metres: a hand works so far before the plane of the game; where the raised arm has its knob, and where its bowl is when pulled. */
const BEFORE = 0.25;
const KNOB = { x: -0.7, y: 1.73 };
const BOWL = { x: -0.9, y: 0.95 };

const between = (from, to, share) => from + (to - from) * Math.min(Math.max(share, 0), 1);

/** A scripted player: in turns it pulls the arm down and lets it go, and puts a ball into the bowl while the other pulls. */
class Gunner {
  constructor({ slot, random }) {
    Object.assign(this, { slot, random, ball: { x: 0, y: 0, z: 0 } });
  }

  act(tick, sight, out) {
    const hand = out.hands[RIGHT];
    const at = tick % SHOT;
    const shot = Math.floor(tick / SHOT);
    hand.tracked = true;
    hand.pose.position.z = BEFORE;
    if (shot % 2 === this.slot) this.pull(at, hand);
    else this.load(at, hand, BALLS[shot % BALLS.length], sight);
  }

  pull(at, hand) {
    if (at === 1) {
      this.depth = this.random.between(1.2, 1.6);
      this.until = this.random.between(420, 520);
    }
    const down = (at - 60) / 60;
    hand.pose.position.x = between(KNOB.x, KNOB.x - 0.5, down);
    hand.pose.position.y = between(KNOB.y, KNOB.y - this.depth, down);
    hand.grip = at > 30 && at < this.until ? 1 : 0;
  }

  load(at, hand, ball, sight) {
    if (at <= 140) positionOf(ball, sight, this.ball);
    const { x, y } = this.ball;
    hand.pose.position.x = between(x, BOWL.x, (at - 200) / 50);
    hand.pose.position.y =
      at < 250 ? between(y, 1.3, (at - 150) / 40) : between(1.3, BOWL.y, (at - 250) / 30);
    hand.grip = at > 130 && at < 290 ? 1 : 0;
  }
}

/** Plays a room of two over a bad network. @returns what went wrong, and the most boxes that were down at once. */
export function playRoom(seed) {
  const room = new RoomHarness(
    {
      players: 2,
      scene: { id: 'catapult', seed: 0 },
      levels: () => catapultLevel,
      bots: (seat) => new Gunner(seat),
      schema,
      seed,
      quietFrom: PLAY,
      conditions: { latencyMs: 50, jitterMs: 30, loss: 0.05 },
    },
    (level) => createSimulation(RAPIER, level),
  );
  const [bodies, shared] = [new Referee(room, 100, true), new SharedReferee()];
  const view = peerView(catapultLevel);
  const [host, guest] = room.peers;
  let mostDown = 0;
  while (room.steps < END) {
    room.step((peer) => bodies.afterReceive(peer));
    bodies.observe();
    host.view(1, null, view);
    judge(host, view, host.shared(schema).events());
    mostDown = Math.max(mostDown, guest.shared(schema).room.get('down'));
    if (room.steps === 2 * SHOT) guest.shared(schema).emit('again', {});
  }
  const { converged } = bodies.finish();
  shared.finish(room.peers);
  const down = room.peers.map((peer) => peer.shared(schema).room.get('down'));
  room.dispose();
  return { converged, violations: [...bodies.violations, ...shared.violations], down, mostDown };
}
