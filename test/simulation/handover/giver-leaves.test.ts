import { beforeAll, describe, expect, test } from 'vitest';
import type { Slot } from '../../../src/core/base/ids.ts';
import { NO_SLOT } from '../../../src/core/base/ids.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { HandoverPage } from '../../support/handover/handover-page.ts';
import { HandoverRoom } from '../../support/handover/handover-room.ts';
import { CUBES } from '../../support/stage.ts';

beforeAll(loadPhysics);

const HEIR = 2 as Slot;
/** Milliseconds: two ways of the line, and some ticks. */
const SOON = 500;

/** A room of four, whose host holds a cube and has just given the room away. */
function given(): { all: HandoverRoom; host: HandoverPage } {
  const all = new HandoverRoom(1);
  all.delayMs = 25;
  all.run(1500);
  for (let i = 0; i < 3; i++) {
    all.join();
    all.run(1000);
  }
  all.run(6000);
  const host = all.at(0);
  host.grabs(CUBES[0]);
  all.run(500);
  expect(host.held).toBe(CUBES[0]);
  host.member.giveTo(HEIR);
  all.runUntil('it has given the room', () => !host.isHost, 1500);
  return { all, host };
}

describe('[F4.35] a host that gives the room away', () => {
  test('keeps what it holds', () => {
    const { all, host } = given();
    all.run(3000);
    expect(host.held).toBe(CUBES[0]);
    expect(all.at(HEIR).peer?.state.bodies.records.authority[CUBES[0]]).toBe(host.slot);
  });

  test('and whose page is closed before it is let in, lets go at once', () => {
    const { all, host } = given();
    all.close(host);
    const heir = all.at(HEIR);
    const isFree = (): boolean =>
      heir.isHost && heir.peer?.state.bodies.records.authority[CUBES[0]] === NO_SLOT;
    all.runUntil('the cube is free', isFree, SOON);
  });

  test.each([100, 200])('and whose page is closed %i ms later, lets go at once, too', (ms) => {
    const { all, host } = given();
    all.run(ms);
    all.close(host);
    const heir = all.at(HEIR);
    const isFree = (): boolean =>
      heir.isHost && heir.peer?.state.bodies.records.authority[CUBES[0]] === NO_SLOT;
    all.runUntil('the cube is free', isFree, SOON);
  });
});
