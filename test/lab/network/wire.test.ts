import { describe, expect, it } from 'vitest';
import { Random } from '../../../src/core/base/random.ts';
import { STRIDE } from '../../../src/core/base/state.ts';
import { createLabScene } from '../../../src/lab/game/scenes.ts';
import { motionsOf, SnapshotRing, startMotions } from '../../../src/lab/network/snapshots.ts';
import { codeHands, codeSnapshot, readPacket, writePacket } from '../../../src/lab/network/wire.ts';
import type { Hand } from '../../../src/lab/game/hand.ts';

const scene = createLabScene('pile', 1);
/** Metres: half a step of the grid of fast bodies [W2], and the rounding of floats. */
const GRID = 0.0011;
const bodies = scene.level.bodies.map((_, body) => body);

describe('what the lab’s models send', () => {
  it('a snapshot is read as it was written, against any baseline that both ends have, within the grid', () => {
    const random = new Random(3);
    const [sent, got] = [
      new SnapshotRing(scene.level, scene.homes),
      new SnapshotRing(scene.level, scene.homes),
    ];
    const motion = startMotions(scene.level);
    let acked = 0;
    for (let tick = 1; tick < 300; tick++) {
      for (let body = 0; body < bodies.length; body += 1 + random.below(3)) {
        for (let i = 7; i < 10; i++) motion[body * STRIDE + i] = random.between(-3, 3);
        for (let i = 0; i < 3; i++) motion[body * STRIDE + i] += motion[body * STRIDE + 7 + i] / 60;
        motion[body * STRIDE + 1] = Math.max(0, motion[body * STRIDE + 1]);
      }
      const hands = scene.homes.map((home) => ({ ...home, x: home.x + random.below(50) }));
      sent.keep(tick, motion, hands, tick - random.below(3));
      const known = acked;
      const bytes = writePacket((c) => codeSnapshot(c, sent, tick, known, bodies)).slice();
      if (random.chance(0.3)) continue;
      expect(readPacket(bytes, (c) => codeSnapshot(c, got, 0, 0, bodies))).toBe(true);
      const read = got.at(tick);
      if (read === null) throw new Error('the snapshot is not there');
      const out = new Float32Array(motion.length);
      motionsOf(read, out);
      for (let at = 0; at < out.length; at += STRIDE)
        expect(Math.abs(out[at] - motion[at])).toBeLessThan(GRID);
      expect(read.hands).toEqual(hands);
      expect(read.worldTick).toBe(sent.at(tick)?.worldTick);
      if (random.chance(0.2)) acked = tick;
    }
  });

  it('hands are read as they were written, and one more costs a byte or two', () => {
    const hands = Array.from({ length: 40 }, (_, i): Hand => ({ x: i * 13, y: 90, z: 40 - i }));
    const write = (count: number): Uint8Array =>
      writePacket((c) =>
        codeHands(
          c,
          39,
          count,
          scene.homes[0],
          (tick) => hands[tick],
          () => undefined,
        ),
      ).slice();
    const read: [number, Hand][] = [];
    const isRead = readPacket(write(30), (c) =>
      codeHands(
        c,
        39,
        0,
        scene.homes[0],
        () => scene.homes[0],
        (tick, hand) => read.push([tick, hand]),
      ),
    );
    expect(isRead).toBe(true);
    expect(read).toEqual(Array.from({ length: 30 }, (_, i) => [39 - i, hands[39 - i]]));
    expect(write(30).length - write(10).length).toBeLessThan(40);
  });
});
