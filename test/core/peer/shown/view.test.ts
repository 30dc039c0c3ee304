import { describe, expect, test } from 'vitest';
import { LEFT, NO_BODY, RIGHT } from '../../../../src/core/base/ids.ts';
import type { Pose } from '../../../../src/core/base/math.ts';
import {
  angleBetween,
  composePose,
  copyPose,
  distance,
  fromAxisAngle,
  pose,
  relativePose,
  setQuaternion,
  setVector,
  vector,
} from '../../../../src/core/base/math.ts';
import { POSE_STRIDE } from '../../../../src/core/base/state.ts';
import type { PlayerInput } from '../../../../src/core/hands/hand-input.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import type { Peer } from '../../../../src/core/peer/peer.ts';
import type { PeerView } from '../../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../../src/core/peer/shown/peer-view.ts';
import { apart, CUBES, setStage } from '../../../support/stage.ts';

const [cube, other] = CUBES;

/** The view of a peer. */
function look(peer: Peer, alpha: number, input: PlayerInput | null = null): PeerView {
  const view = peerView(peer.state.bodies.count);
  peer.view(alpha, input, view);
  return view;
}

function poseOf(view: PeerView, body: number): Pose {
  const [x, y, z, qx, qy, qz, qw] = view.poses.subarray(body * POSE_STRIDE);
  const out = pose();
  setVector(out.position, x, y, z);
  setQuaternion(out.rotation, qx, qy, qz, qw);
  return out;
}

function twoPlayers() {
  return setStage({ guests: 1, cubes: apart(2), bodiless: true });
}

const ALPHAS = [0, 0.2, 0.5, 0.8, 1];

describe('[T5] a drawn pose', () => {
  test('[T5.1] lies between the last two ticks', async () => {
    const { host } = await twoPlayers();
    host.grabs(cube);
    host.moves([1, 0, 0], 0.2);
    host.throws([4, 2, 1]);
    const [from, to] = [poseOf(look(host.peer, 0), cube), poseOf(look(host.peer, 1), cube)];
    expect(distance(from.position, to.position)).toBeGreaterThan(0.01);
    for (const alpha of ALPHAS) {
      const { position } = poseOf(look(host.peer, alpha), cube);
      expect(position.x).toBeCloseTo(from.position.x + (to.position.x - from.position.x) * alpha, 5);
      expect(position.y).toBeCloseTo(from.position.y + (to.position.y - from.position.y) * alpha, 5);
    }
  });

  test('[T5.1] goes on from where it was: the end of one tick is the beginning of the next', async () => {
    const stage = await twoPlayers();
    const { host } = stage;
    const guest = stage.guest(1);
    guest.grabs(cube);
    for (let tick = 0; tick < 90; tick++) {
      if (tick === 40) guest.releases();
      const ends = [host, guest].map(({ peer }) => [...look(peer, 1).poses]);
      guest.moves([1, 0.3, -0.5], 1 / 60);
      const begins = [host, guest].map(({ peer }) => [...look(peer, 0).poses]);
      for (const side of [0, 1]) {
        begins[side].forEach((number, i) => {
          // A body in this player's hand follows the hand: its input has moved on.
          if (side === 1 && guest.holds(cube) && i < POSE_STRIDE) return;
          expect(number).toBeCloseTo(ends[side][i], 5);
        });
      }
    }
  });

  test('[T5.1] of a held body follows the hand in the same frame, on the peer of its holder', async () => {
    const stage = await twoPlayers();
    const { host } = stage;
    const guest = stage.guest(1);
    host.grabs(cube);
    stage.letPass(0.5);
    const { offset } = host.peer.player.hands[RIGHT];
    const frame = playerInput();
    for (const side of [LEFT, RIGHT]) {
      frame.hands[side].tracked = true;
      setVector(frame.hands[side].pose.position, 3, 2, side);
      fromAxisAngle(vector(0, 1, 0), 1, frame.hands[side].pose.rotation);
    }
    for (const alpha of ALPHAS) {
      const view = look(host.peer, alpha, frame);
      const drawn = poseOf(view, cube);
      const expected = composePose(frame.hands[RIGHT].pose, offset, pose());
      expect(distance(drawn.position, expected.position)).toBeLessThan(1e-5);
      expect(angleBetween(drawn.rotation, expected.rotation)).toBeLessThan(1e-3);
      expect(view.avatars[host.slot].hands[RIGHT].pose).toEqual(frame.hands[RIGHT].pose);
    }
    const before = poseOf(look(guest.peer, 0.5), cube);
    expect(poseOf(look(guest.peer, 0.5, frame), cube)).toEqual(before);
  });

  test('[T5.1] of a held body stays above the floor, as it does in the world, wherever the hand of the frame is', async () => {
    const { host } = await twoPlayers();
    host.grabs(cube);
    host.moves([0, -4, 0], 0.3);
    const { position } = host.input.hands[RIGHT].pose;
    expect(position.y).toBeLessThan(-0.9);
    const drawn = poseOf(look(host.peer, 0.5, host.input), cube);
    expect(drawn.position.y).toBeCloseTo(0.25, 5);
    expect(host.says(cube).position[1]).toBeCloseTo(0.25, 3);
  });

  test('[T5.1] without a frame of its own follows the hand of the tick', async () => {
    const stage = await twoPlayers();
    const { host } = stage;
    host.grabs(cube);
    host.moves([2, 1, 0], 0.3);
    const { pose: hand } = host.input.hands[RIGHT];
    const drawn = poseOf(look(host.peer, 0.3), cube);
    const expected = composePose(hand, host.peer.player.hands[RIGHT].offset, pose());
    expect(distance(drawn.position, expected.position)).toBeLessThan(1e-5);
  });

  test('comes with the authority of every body, and whether it rests', async () => {
    const stage = await twoPlayers();
    stage.guest(1).grabs(cube);
    stage.letPass(1);
    const view = look(stage.host.peer, 1);
    expect([...view.authority]).toEqual([1, -1]);
    expect([...view.resting]).toEqual([0, 1]);
    expect(view.self).toBe(0);
  });

  test('is a copy: to draw has no effect on the world', async () => {
    const stage = await twoPlayers();
    const view = look(stage.host.peer, 1);
    view.poses.fill(99);
    view.authority.fill(5);
    setVector(view.avatars[0].head.position, 9, 9, 9);
    expect(poseOf(look(stage.host.peer, 1), cube).position.x).toBeCloseTo(0, 5);
    expect(look(stage.host.peer, 1).authority[other]).toBe(-1);
  });
});

describe('avatars', () => {
  test('the own one is as its input is, with the body that it points at and the body that it holds', async () => {
    const stage = await twoPlayers();
    const { host } = stage;
    host.grabs(cube);
    stage.tick();
    host.input.hands[RIGHT].trigger = 0.4;
    host.input.voice = 0.5;
    stage.tick();
    const own = look(host.peer, 1).avatars[0];
    expect(own).toMatchObject({ present: true, name: 'Player 0', voice: 0.5, slot: 0 });
    expect(own.hands[RIGHT]).toMatchObject({ held: cube, grip: 1, trigger: 0.4, tracked: true });
    expect(own.hands[LEFT].held).toBe(NO_BODY);
    host.releases();
    stage.letPass(0.5);
    expect(look(host.peer, 1).avatars[0].hands[RIGHT]).toMatchObject({ held: NO_BODY, selected: cube });
  });

  test('those of others are shown with their names and the bodies that they carry; empty slots are not shown', async () => {
    const stage = await twoPlayers();
    const guest = stage.guest(1);
    guest.input.hands[LEFT].pointing = true;
    guest.grabs(cube);
    stage.letPass(1);
    const { avatars } = look(stage.host.peer, 1);
    expect(avatars[1]).toMatchObject({ present: true, name: 'Player 1' });
    expect(avatars[1].hands[RIGHT]).toMatchObject({ held: cube, tracked: true, grip: 1, selected: NO_BODY });
    expect(avatars[1].hands[LEFT]).toMatchObject({ held: NO_BODY, pointing: true });
    expect(avatars.filter(({ present }) => present).map(({ slot }) => slot)).toEqual([0, 1]);
  });

  test('[W7.2] a body that another player carries stays in its hand while both move, within 1.5 mm at any moment', async () => {
    const stage = await twoPlayers();
    const guest = stage.guest(1);
    guest.grabs(cube);
    guest.moves([0, 1, 0], 0.5);
    const reference = pose();
    let [seen, travelled] = [0, 0];
    const was = pose();
    for (let tick = 0; tick < 120; tick++) {
      fromAxisAngle(vector(0, 1, 0), tick * 0.05, guest.input.hands[RIGHT].pose.rotation);
      guest.moves([Math.sin(tick / 10), Math.cos(tick / 7), 1], 1 / 60);
      for (const alpha of ALPHAS) {
        const view = look(stage.host.peer, alpha);
        const hand = view.avatars[1].hands[RIGHT];
        expect(hand.held).toBe(cube);
        const relative = relativePose(hand.pose, poseOf(view, cube), pose());
        if (tick < 30) copyPose(relative, reference);
        else expect(distance(relative.position, reference.position)).toBeLessThan(0.0015);
        if (alpha === 0) travelled += distance(hand.pose.position, was.position);
        copyPose(hand.pose, was);
        seen++;
      }
    }
    expect(seen).toBe(600);
    expect(travelled).toBeGreaterThan(0.2);
  });
});
