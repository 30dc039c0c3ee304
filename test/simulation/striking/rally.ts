import { createBot } from '../../../src/bots/bots.ts';
import { Random } from '../../../src/core/base/random.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { Place, Stage } from '../../support/stage.ts';
import { CUBES, setStage } from '../../support/stage.ts';

/** A ball, and a bat near each of the two bots. */
const COURT: readonly Place[] = [
  [0, 0.25, 2],
  [1, 0.25, 2],
  [-1, 0.25, -2],
];
const [ball] = CUBES;

/** A rally as one player saw it. */
export type Seen = {
  /** The ticks of the stage in which this player's bat took the ball. */
  readonly blows: number[];
  /** For each of these blows, after how many ticks the ball was drawn on its way back. */
  readonly answers: number[];
  /** Metres: the farthest way of the drawn ball in a tick, and how often it was drawn on its way to the other side. */
  longest: number;
  turns: number;
};

/** Two bots bat a cube back and forth: the host, and a guest. Returns what each of them saw. */
export async function playRally(latencyMs: number, seconds: number): Promise<readonly Seen[]> {
  const stage = await setStage({ guests: 1, cubes: COURT, latencyMs, firstIsBall: true });
  const random = new Random(1);
  const bots = stage.present.map(({ slot }) =>
    createBot('rally', { slot, players: 2, random: random.fork() }),
  );
  const seen = stage.present.map((): Seen => ({ blows: [], answers: [], longest: 0, turns: 0 }));
  const watch = stage.present.map((_, slot) => watcher(stage, slot, seen[slot]));
  for (let tick = 0; tick < seconds * 60; tick++) {
    stage.present.forEach(({ peer, input }, slot) =>
      bots[slot].act(200 + tick, peer.diagnostics.bodies, input),
    );
    stage.tick();
    for (const look of watch) look(tick);
  }
  return seen;
}

function watcher(stage: Stage, slot: number, seen: Seen): (tick: number) => void {
  const { peer } = stage.guest(slot);
  let events = peer.diagnostics.events.total;
  const { drawn } = peer.diagnostics.bodies;
  let before: number[] = [0, 0, 0];
  let way = 0;
  let waits = -1;
  return (tick) => {
    peer.diagnostics.events.each(events, ({ kind, rule, body }) => {
      if (kind !== 'take' || rule !== 'A14' || body !== ball) return;
      seen.blows.push(tick);
      waits = 0;
    });
    events = peer.diagnostics.events.total;
    const at = ball * POSE_STRIDE;
    const now = [drawn[at], drawn[at + 1], drawn[at + 2]];
    if (seen.blows.length > 0)
      seen.longest = Math.max(seen.longest, Math.hypot(...now.map((x, i) => x - before[i])));
    const z = now[2] - before[2];
    // The host stands where z is positive, and strikes the ball to where it is negative.
    const isBack = slot === 0 ? z < -0.01 : z > 0.01;
    if (waits >= 0 && isBack) {
      seen.answers.push(waits);
      waits = -1;
    } else if (waits >= 0) waits++;
    if (Math.abs(z) > 0.01 && Math.sign(z) !== way) {
      way = Math.sign(z);
      seen.turns++;
    }
    before = now;
  };
}
