import { modelOf } from '../../../src/lab/models.ts';
import type { FigureName } from '../../../src/lab/judge/figures.ts';
import type { PublicationName, PublishedFile } from '../../../src/lab/sweep/published.ts';
import { readRows } from '../../../src/lab/sweep/published.ts';
import type { SummaryRow } from '../../../src/lab/sweep/summary.ts';
import { summarise } from '../../../src/lab/sweep/summary.ts';

/** The medians of a published sweep: a figure of a model at a value. */
export type Medians = (sweep: PublicationName, model: string, figure: FigureName, value?: number) => number;

export function mediansOf(file: PublishedFile): Medians {
  const summaries = new Map<PublicationName, SummaryRow[]>();
  return (sweep, model, figure, value = 100) => {
    if (modelOf(model) === undefined) throw new Error(`there is no model ${model}`);
    let rows = summaries.get(sweep);
    if (rows === undefined) summaries.set(sweep, (rows = summarise(readRows(file, sweep))));
    const row = rows.find((one) => one.model === model && one.value === value);
    if (row === undefined) throw new Error(`${sweep} has no ${model} at ${value}`);
    return row.figures[figure].median;
  };
}

const AT_ONCE = ['authority', 'rollback', 'prediction', 'colyseus'];
const OWNERS = ['owner-add', 'owner-move', 'owner-displace'];
const INTERPOLATIONS = [
  'interpolation-linear',
  'interpolation-constant',
  'interpolation-cached',
  'interpolation-hermite',
];
const DRAWN = ['server', ...INTERPOLATIONS];
const LATENCIES = [0, 50, 100, 150, 200, 250];
/** Milliseconds of two ticks: a hand's start and what is seen fall into ticks. */
const TWO_TICKS = 34;

export type Claim = { readonly sentence: string; holds(m: Medians): boolean };

/** Every sentence of docs/which-model.md that compares, and what must hold for it. */
export const CLAIMS: readonly Claim[] = [
  {
    sentence:
      "Authority, rollback, prediction, Colyseus and the owner's state begin to move in the same few ticks at any latency (Figure 1).",
    holds: (m) =>
      [...AT_ONCE, ...OWNERS].every((id) =>
        LATENCIES.every(
          (ms) =>
            Math.abs(m('latency', id, 'delay', ms) - m('latency', 'authority', 'delay', 0)) <= TWO_TICKS,
        ),
      ),
  },
  {
    sentence:
      'Reconciliation adds the 50 ms by which its hands are stamped ahead, and no more at any latency (Figure 1).',
    holds: (m) =>
      LATENCIES.every((ms) => {
        const more = m('latency', 'reconciliation', 'delay', ms) - m('latency', 'prediction', 'delay', ms);
        return Math.abs(more - 50) <= TWO_TICKS;
      }),
  },
  {
    sentence: 'Lockstep waits for its delay, which a lobby sets to what packets take (Figure 1).',
    holds: (m) => {
      const slope = m('latency', 'lockstep', 'delay', 250) - m('latency', 'lockstep', 'delay', 50);
      return Math.abs(slope - 200) <= TWO_TICKS;
    },
  },
  {
    sentence:
      "Where a server's answer is drawn, a whole round trip is added, and the buffer on top (Figure 1).",
    holds: (m) =>
      DRAWN.every((id) => m('latency', id, 'delay', 250) - m('latency', id, 'delay', 0) >= 500 - TWO_TICKS) &&
      INTERPOLATIONS.every((id) => m('latency', id, 'delay') > m('latency', 'server', 'delay')),
  },
  {
    sentence:
      'With authority, rollback, prediction and Colyseus a pushed cube answers within a few ticks at any latency (Figure 2).',
    holds: (m) =>
      AT_ONCE.every((id) => LATENCIES.every((ms) => m('latency', id, 'push', ms) <= 2 * TWO_TICKS)),
  },
  {
    sentence: "A server's drawn answer comes more than a round trip later (Figure 2).",
    holds: (m) =>
      DRAWN.every((id) => m('latency', id, 'push') - m('latency', 'authority', 'push') > 200 - TWO_TICKS),
  },
  {
    sentence:
      'Whether prediction has it at once is a choice of drawing: with its neighbours drawn between snapshots instead, a pushed cube answers over 200 ms later (Figure 2, and the switch "Others, by prediction").',
    holds: (m) => m('interpolated', 'prediction', 'push') - m('latency', 'prediction', 'push') > 200,
  },
  {
    sentence:
      "So lockstep has no error, by waiting (Figure 3), and authority and the owner's state have none of what the viewer moves itself, by being believed.",
    holds: (m) => LATENCIES.every((ms) => m('latency', 'lockstep', 'error95', ms) < 0.002),
  },
  {
    sentence:
      "Of all models that answer at once, rollback errs least, and the owner's state comes next (Table 1).",
    holds: (m) => {
      const error = (id: string): number => m('latency', id, 'error95');
      return OWNERS.every(
        (owner) =>
          error('rollback') < error(owner) &&
          ['authority', 'prediction', 'colyseus'].every((id) => error(owner) < error(id)),
      );
    },
  },
  {
    sentence:
      'Authority errs most of these: it shows what others do late, by the path and by its buffer, and guesses nothing (Table 1).',
    holds: (m) =>
      [...AT_ONCE.slice(1), ...OWNERS].every(
        (id) => m('latency', id, 'error95') < m('latency', 'authority', 'error95'),
      ),
  },
  {
    sentence:
      'At 250 ms prediction, Colyseus and reconciliation err more than authority: a guess that is that old is worse than none (Figure 3).',
    holds: (m) =>
      ['prediction', 'colyseus', 'reconciliation'].every(
        (id) => m('latency', id, 'error95', 250) > m('latency', 'authority', 'error95', 250),
      ),
  },
  {
    sentence:
      'Prediction and Colyseus err more than rollback: they guess what others do for a whole round trip, not for one way (Table 1).',
    holds: (m) =>
      ['prediction', 'colyseus'].every(
        (id) => m('latency', id, 'error95') > 1.3 * m('latency', 'rollback', 'error95'),
      ),
  },
  {
    sentence: 'Lockstep and interpolation behind a buffer show none on the plane (Figure 4).',
    holds: (m) =>
      ['lockstep', ...INTERPOLATIONS.slice(1)].every((id) =>
        LATENCIES.every((ms) => m('latency', id, 'jumps', ms) === 0),
      ),
  },
  {
    sentence: 'Authority and rollback show ten a minute at the most, and at most latencies none (Figure 4).',
    holds: (m) =>
      ['authority', 'rollback'].every((id) => {
        const jumps = LATENCIES.map((ms) => m('latency', id, 'jumps', ms));
        return Math.max(...jumps) < 10.5 && jumps.filter((count) => count === 0).length >= 4;
      }),
  },
  {
    sentence:
      'Prediction and reconciliation show none up to 100 ms; Colyseus, whose states come 20 times a second, jumps fifteen times a minute there, and over a hundred times at 250 ms (Figure 4).',
    holds: (m) =>
      ['prediction', 'reconciliation'].every((id) =>
        [0, 50, 100].every((ms) => m('latency', id, 'jumps', ms) === 0),
      ) &&
      Math.abs(m('latency', 'colyseus', 'jumps') - 15) < 5 &&
      m('latency', 'colyseus', 'jumps', 250) > 100,
  },
  {
    sentence: 'The plain server jumps most, since it draws snapshots just as they come (Figure 4).',
    holds: (m) =>
      [...AT_ONCE, ...OWNERS, ...INTERPOLATIONS, 'lockstep', 'reconciliation'].every(
        (id) => m('latency', 'server', 'jumps') > m('latency', id, 'jumps'),
      ),
  },
  {
    sentence:
      "The owner's state jumps at each turn and blow; bounded in its rate it jumps less than half as often (Figure 4).",
    holds: (m) => m('latency', 'owner-move', 'jumps') < 0.5 * m('latency', 'owner-add', 'jumps'),
  },
  {
    sentence:
      'Easing is what keeps prediction and reconciliation quiet: without it, they jump hundreds of times a minute (Figure 4, and the switch "Corrections are eased").',
    holds: (m) => ['prediction', 'reconciliation'].every((id) => m('uneased', id, 'jumps') > 200),
  },
  {
    sentence:
      'Authority shows no jump at 5, 10 and 20 packets a second either, at 100 ms and 1 % of loss (the rates of `figures.json`).',
    holds: (m) => [5, 10, 20].every((rate) => m('rate', 'authority', 'jumps', rate) === 0),
  },
  {
    sentence:
      '**The limit of "nothing jumps"**: at 250 ms and 5 % of loss a pile does jump, some tens of times a minute (the sweep `bad` of `figures.json`).',
    holds: (m) => m('bad', 'authority', 'jumps', 5) > 5 && m('bad', 'authority', 'jumps', 5) < 100,
  },
  {
    sentence: 'At 1 % of loss a heap that is stirred has about twenty a minute already (Table 3).',
    holds: (m) => m('pile', 'authority', 'jumps') > 10 && m('pile', 'authority', 'jumps') < 30,
  },
  {
    sentence:
      'Where all draw what a server sends, and with lockstep and rollback, two screens differ by a tenth of a metre at the most (Table 1).',
    holds: (m) => [...DRAWN, 'lockstep', 'rollback'].every((id) => m('latency', id, 'screens95') <= 0.1),
  },
  {
    sentence:
      'Elsewhere each player is in a present of its own, and two screens differ by what the other has done meanwhile: with authority by the most (Table 1).',
    holds: (m) =>
      ['prediction', 'colyseus', 'reconciliation', ...OWNERS].every(
        (id) => m('latency', id, 'screens95') < m('latency', 'authority', 'screens95'),
      ),
  },
  {
    sentence:
      'Rollback and reconciliation compute again what a late hand has changed, so their cost grows with the latency; so does that of prediction and Colyseus (Figure 6).',
    holds: (m) =>
      ['rollback', 'reconciliation', 'prediction', 'colyseus'].every(
        (id) => m('latency', id, 'steps', 250) > 1.5 * m('latency', id, 'steps', 50),
      ),
  },
  {
    sentence:
      "Authority, the owner's state, lockstep and interpolation make one step a tick at any latency (Figure 6).",
    holds: (m) =>
      ['authority', 'lockstep', ...OWNERS, ...INTERPOLATIONS].every((id) =>
        LATENCIES.every((ms) => m('latency', id, 'steps', ms) < 1.05),
      ),
  },
  {
    sentence:
      'Reconciliation keeps the most at any latency, and what rollback keeps grows with the latency (Figure 7).',
    holds: (m) =>
      LATENCIES.every((ms) =>
        [...AT_ONCE, ...OWNERS, ...DRAWN, 'lockstep'].every(
          (id) => m('latency', id, 'memory', ms) < m('latency', 'reconciliation', 'memory', ms),
        ),
      ) && m('latency', 'rollback', 'memory', 250) > 2 * m('latency', 'rollback', 'memory', 50),
  },
  {
    sentence:
      'Lockstep and rollback send hands alone: in a pile of thirty cubes they send less than half of what authority sends (Table 3); at a thousand bodies they would stay where they are, and all others would not.',
    holds: (m) =>
      ['lockstep', 'rollback'].every((id) => m('pile', id, 'down') < 0.5 * m('pile', 'authority', 'down')),
  },
  {
    sentence:
      "Authority has the greatest of all models that answer at once, since the cube belongs to who touched it first, and the other's push arrives when it is let go (Table 2).",
    holds: (m) =>
      ['rollback', 'prediction', 'colyseus', ...OWNERS].every(
        (id) => m('push', id, 'contested95') < m('push', 'authority', 'contested95'),
      ),
  },
  {
    sentence: 'Rollback has the least of these (Table 2).',
    holds: (m) =>
      ['authority', 'prediction', 'colyseus', ...OWNERS].every(
        (id) => m('push', 'rollback', 'contested95') < m('push', id, 'contested95'),
      ),
  },
  {
    sentence: 'Lockstep has it exactly right, by waiting (Table 2).',
    holds: (m) => m('push', 'lockstep', 'contested95') < 0.002,
  },
  {
    sentence:
      "Authority's error grows with the third player, since what the other guest does takes two ways (Table 4, against Table 1).",
    holds: (m) => m('three', 'authority', 'error95') > 1.1 * m('latency', 'authority', 'error95'),
  },
  {
    sentence:
      'Models in which all players send to each other, or to a server that is no player, stay as they were (Table 4, against Table 1).',
    holds: (m) =>
      ['rollback', 'reconciliation', 'server', 'lockstep'].every(
        (id) =>
          Math.abs(m('three', id, 'delay') - m('latency', id, 'delay')) <= TWO_TICKS &&
          m('three', id, 'error95') < 1.3 * m('latency', id, 'error95') + 0.01,
      ),
  },
];
