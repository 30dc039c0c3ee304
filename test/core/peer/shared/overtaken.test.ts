import { describe, expect, onTestFinished, test } from 'vitest';
import { TICK_MS } from '../../../../src/core/base/constants.ts';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import { SharedRoom } from '../../../support/shared-room.ts';

const [HOST, ADA, BEN] = [0, 1, 2] as Slot[];
const PLAYERS = [HOST, ADA, BEN];

/** A room whose packets arrive in the tick in which they leave, but for those of one guest, which may be held back. */
class Exchange {
  readonly room = new SharedRoom(4, 2);
  readonly #late: { readonly from: Slot; readonly bytes: Uint8Array }[] = [];

  constructor() {
    onTestFinished(() => {
      this.room.referee.finish(this.room.peers);
      expect(this.room.referee.violations).toEqual([]);
      this.room.clearAway();
    });
    this.room.letPass(1);
  }

  /** @param held the guest whose packet waits until `arrive`; null for none. */
  tick(held: Slot | null = null): void {
    this.room.now += TICK_MS;
    const sent: { readonly from: Slot; readonly to: Slot; readonly bytes: Uint8Array }[] = [];
    for (const from of PLAYERS) {
      const { peer } = this.room.player(from);
      peer.tick(playerInput());
      peer.poll(
        this.room.now,
        (to, bytes) => sent.push({ from, to, bytes: bytes.slice() }),
        () => true,
      );
    }
    for (const { from, to, bytes } of sent) {
      if (from === held) this.#late.push({ from, bytes });
      else this.room.player(to).peer.receive(this.room.now, from, bytes);
    }
  }

  run(ticks: number): void {
    for (let tick = 0; tick < ticks; tick++) this.tick();
  }

  /** The packets that were held back arrive at the host. */
  arrive(): void {
    expect(this.#late.length).toBeGreaterThan(0);
    for (const { from, bytes } of this.#late.splice(0))
      this.room.player(HOST).peer.receive(this.room.now, from, bytes);
  }

  keeps(slot: Slot, body: BodyId, on: boolean): void {
    expect(this.room.player(slot).peer.act({ kind: 'keep', body, on })).toBeNull();
  }

  spawns(slot: Slot): BodyId {
    const body = this.room.spawns(slot);
    if (body === null) throw new Error('nothing was spawned');
    return body;
  }

  labels(body: BodyId): string[] {
    return PLAYERS.map((slot) => this.room.player(slot).shared.bodies.get(body, 'label'));
  }
}

describe('a write that a newer packet has overtaken', () => {
  test.each(['its writer', 'the host'])('[V3.1] is answered if %s has despawned the body', (who) => {
    const exchange = new Exchange();
    const { room } = exchange;
    const body = exchange.spawns(ADA);
    room.letPass(1);
    // Ben has the body that Ada has spawned.
    exchange.keeps(HOST, body, true);
    room.letPass(1);
    exchange.keeps(HOST, body, false);
    room.letPass(3);
    exchange.keeps(BEN, body, true);
    room.letPass(1);
    const ben = room.player(BEN);
    expect(ben.shared.bodies.set(body, 'label', 'x')).toBeNull();
    exchange.tick(BEN);
    exchange.tick(BEN);
    if (who === 'its writer') expect(ben.peer.despawn(body)).toBeNull();
    else ben.shared.players.set(BEN, 'ready', true);
    exchange.tick();
    if (who === 'the host') expect(room.player(HOST).peer.despawn(body)).toBeNull();
    exchange.arrive();
    exchange.run(120);
    expect(exchange.spawns(ADA)).toBe(body);
    exchange.run(120);
    expect(exchange.labels(body)).toEqual(['', '', '']);
  });

  test('[V4.3] does not count for the next body with its id, though that came first', () => {
    const exchange = new Exchange();
    const { room } = exchange;
    const body = exchange.spawns(ADA);
    room.letPass(1);
    exchange.keeps(ADA, body, true);
    room.letPass(1);
    // In one tick the host despawns the body, and Ada, who has not heard so, writes.
    expect(room.player(HOST).peer.despawn(body)).toBeNull();
    expect(room.player(ADA).shared.bodies.set(body, 'label', 'old')).toBeNull();
    exchange.tick(ADA);
    expect(exchange.spawns(ADA)).toBe(body);
    exchange.run(2);
    exchange.arrive();
    exchange.run(120);
    expect(exchange.labels(body)).toEqual(['', '', '']);
  });
});
