import { beforeAll, describe, expect, test } from 'vitest';
import type { BodyId } from '../../../../src/core/base/ids.ts';
import { Random } from '../../../../src/core/base/random.ts';
import { STATE } from '../../../../src/core/base/state.ts';
import { MAX_LINEAR, POSITION_STEPS } from '../../../../src/core/wire/bodies/quantise.ts';
import { loadPhysics } from '../../../../src/physics/rapier-simulation.ts';
import type { PlainUpdate } from '../../../support/packets.ts';
import { CUBES, Liar, ONE, Table, TWO } from './hostile-table.ts';

beforeAll(loadPhysics);

const CUBE = 1 as BodyId;
const METRE = POSITION_STEPS;

/** Guest 2 has authority over a cube, sends its states, and is believed. */
class MovingGuest {
  readonly table = new Table();
  readonly #liar: Liar;

  constructor() {
    this.table.pass(40);
    this.#liar = new Liar(this.table, TWO, new Random(1));
  }

  /** @param metres along x. @param speed in m/s, upwards. @returns where the other guest sees the cube, and what was refused. */
  sends(ticks: number, metres: number, speed = 0): { readonly refused: number; readonly seen: number } {
    const { table } = this;
    const { records } = table.host.state.bodies;
    const before = table.host.state.rejections.H9 ?? 0;
    this.#liar.tick += ticks;
    const state = [metres * METRE, METRE, 0, 3, 0, 0, 0, ...Array<number>(6).fill(0)];
    state[STATE.linear + 1] = Math.min(MAX_LINEAR, speed * 1024);
    const claim = [TWO, 0, 1, records.authoritySequence[CUBE]];
    const update: PlainUpdate = {
      body: CUBE,
      baselineAge: 0,
      claim,
      kind: 'motion',
      tick: this.#liar.tick,
      state,
    };
    const author = { slot: TWO, tick: this.#liar.tick & 0xffff, avatar: null };
    table.host.receive(table.now, TWO, this.#liar.write([author], [update]));
    table.pass(2, (from) => from === TWO);
    const seen = table.host.state.relay.state[CUBE * 13] / METRE;
    return { refused: (table.host.state.rejections.H9 ?? 0) - before, seen };
  }
}

describe('[H9] a guest’s state of a body must be possible', () => {
  test('[H9.2] it moves as fast as a body can, and is believed', () => {
    const guest = new MovingGuest();
    expect(guest.sends(1, 5)).toEqual({ refused: 0, seen: 5 });
    expect(guest.sends(6, 9)).toEqual({ refused: 0, seen: 9 });
    expect(guest.sends(60, -30)).toEqual({ refused: 0, seen: -30 });
  });

  test('[H9.2] [H9.3] [F1.3] it leaps across the world: the host counts it, and keeps the state before', () => {
    const guest = new MovingGuest();
    guest.sends(1, 5);
    expect(guest.sends(1, 40)).toEqual({ refused: 1, seen: 5 });
    expect(guest.sends(1, 60)).toEqual({ refused: 1, seen: 5 });
    expect(guest.table.host.offences(TWO)).toBe(2);
    expect(guest.table.host.offences(ONE)).toBe(0);
    // It stays there: in a while it could have come so far.
    expect(guest.sends(60, 40)).toEqual({ refused: 0, seen: 40 });
  });

  test('[H9.2] [R4.1] it is put back at its start, from wherever it was', () => {
    const guest = new MovingGuest();
    const { x } = guest.table.host.state.bodies.level.bodies[CUBE].start.position;
    guest.sends(1, x - 30);
    expect(guest.sends(1, Math.round(x)).refused).toBe(0);
    expect(CUBES).toBeGreaterThan(CUBE);
  });

  test('[H9.4] it is outside of the level: it is rejected, however slowly it went there', () => {
    const guest = new MovingGuest();
    expect(guest.sends(60, 30)).toEqual({ refused: 0, seen: 30 });
    expect(guest.sends(60, 64)).toEqual({ refused: 0, seen: 64 });
    expect(guest.sends(60, 65)).toEqual({ refused: 1, seen: 64 });
  });

  test('[H9.1] it is faster than any body can be: it is rejected', () => {
    const guest = new MovingGuest();
    expect(guest.sends(1, 5, 47).refused).toBe(0);
    expect(guest.sends(1, 5, 63).refused).toBe(1);
  });
});
