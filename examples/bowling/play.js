import RAPIER from '@dimforge/rapier3d-compat';
import { peerView, RIGHT } from 'handover';
import { createSimulation } from 'handover/rapier';
import { positionOf, Referee, RoomHarness, SharedReferee } from 'handover/testing';
import { BALL, bowlingLevel, LANE } from './lane.js';
import { judge, rollsOf, schema } from './rules.js';

await RAPIER.init();

/** Ticks of a player's turn, of play, and until all has come to rest. */
const [TURN, PLAY, END] = [420, 1680, 2400];
/** It points down. */
const DOWN = { x: -Math.SQRT1_2, y: 0, z: 0, w: Math.SQRT1_2 };

/** A scripted player: in its turn it takes the ball, swings it over the foul line, and lets go. */
class Bowler {
  constructor({ slot, players, random }) {
    Object.assign(this, { slot, players, random, ball: { x: 0, y: 0, z: 0 } });
  }

  act(tick, sight, out) {
    const hand = out.hands[RIGHT];
    const { position } = hand.pose;
    const at = tick % TURN;
    hand.tracked = true;
    Object.assign(hand.pose.rotation, DOWN);
    if (Math.floor(tick / TURN) % this.players !== this.slot) hand.grip = 0;
    else if (at < 60) {
      const { x, y, z } = positionOf(BALL, sight, this.ball);
      Object.assign(position, { x, y: y + 0.3, z });
      this.swing = { x: this.random.between(-0.5, 0.5), z: -this.random.between(4, 9) };
    } else {
      hand.grip = position.z > 0.1 ? 1 : 0;
      if (at > 90 && position.z > LANE.end) {
        position.x += this.swing.x / 60;
        position.z += this.swing.z / 60;
      }
    }
  }
}

/** Plays a room of two over a bad network. @returns what went wrong, and the rolls as each player knows them. */
export function playRoom(seed) {
  const room = new RoomHarness(
    {
      players: 2,
      scene: { id: 'bowling', seed: 0 },
      levels: () => bowlingLevel,
      bots: (seat) => new Bowler(seat),
      schema,
      seed,
      quietFrom: PLAY,
      conditions: { latencyMs: 50, jitterMs: 30, loss: 0.05 },
    },
    (level) => createSimulation(RAPIER, level),
  );
  const [bodies, shared] = [new Referee(room, 100, true), new SharedReferee()];
  const view = peerView(bowlingLevel);
  while (room.steps < END) {
    room.step((peer) => bodies.afterReceive(peer));
    bodies.observe();
    const [host] = room.peers;
    host.view(1, null, view);
    judge(host, view);
  }
  const { converged } = bodies.finish();
  shared.finish(room.peers);
  const rolls = room.peers.map(rollsOf);
  room.dispose();
  return { converged, violations: [...bodies.violations, ...shared.violations], rolls };
}
