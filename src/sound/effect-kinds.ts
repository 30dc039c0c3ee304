import type { Knock } from './knock.ts';

/**
 * Sounds of hands and bodies. `contact`: a body hits another body or the floor; `reach`: a hand has found a
 * body that it can take; `lose`: another player has got the body; `teleport`: the player has jumped; `click`:
 * a button; `wave`: a player waves; `give`: a body has gone from one player's hand to another's.
 */
export type EffectKind =
  | 'contact'
  | 'grab'
  | 'release'
  | 'reach'
  | 'lose'
  | 'teleport'
  | 'click'
  | 'wave'
  | 'give';

export type Effect = {
  readonly knock: Knock;
  /**
   * The peak of the strongest one, at arm's length. A single one is quiet, because a whole pile may fall at
   * once.
   */
  readonly gain: number;
  /** Number of different versions, so that two sounds in a row differ. */
  readonly takes: number;
  /** How much the pitch varies, as a fraction. */
  readonly spread: number;
};

/** Hollow wood with a little plastic: the modes of a small block; each higher mode decays sooner. */
const CONTACT: Knock = {
  modes: [
    [430, 1, 0.2],
    [815, 0.55, 0.14],
    [1370, 0.4, 0.09],
    [2240, 0.28, 0.06],
    [3650, 0.18, 0.035],
  ],
  noise: 0.5,
  noiseSeconds: 0.02,
  attack: 0.001,
};

const GRAB: Knock = {
  modes: [
    [980, 1, 0.06],
    [1710, 0.6, 0.04],
    [2900, 0.3, 0.025],
  ],
  noise: 0.4,
  noiseSeconds: 0.012,
  attack: 0.001,
};

const RELEASE: Knock = {
  modes: [
    [610, 1, 0.08],
    [1040, 0.35, 0.05],
  ],
  noise: 0.15,
  noiseSeconds: 0.012,
  attack: 0.003,
};

const REACH: Knock = { modes: [[1320, 1, 0.04]], noise: 0.1, noiseSeconds: 0.01, attack: 0.004 };

const LOSE: Knock = {
  modes: [
    [262, 1, 0.2],
    [311, 0.8, 0.16],
  ],
  noise: 0.1,
  noiseSeconds: 0.03,
  attack: 0.006,
};

const TELEPORT: Knock = { modes: [[180, 0.3, 0.12]], noise: 1, noiseSeconds: 0.16, attack: 0.06 };

const CLICK: Knock = {
  modes: [
    [1760, 1, 0.03],
    [3100, 0.4, 0.015],
  ],
  noise: 0.2,
  noiseSeconds: 0.006,
  attack: 0.001,
};

/** Two soft notes of a chord, like a small bell. */
const WAVE: Knock = {
  modes: [
    [784, 0.8, 0.22],
    [1047, 1, 0.2],
    [1568, 0.25, 0.1],
  ],
  noise: 0.02,
  noiseSeconds: 0.01,
  attack: 0.012,
};

/** A bright chord: higher and longer than a wave. */
const GIVE: Knock = {
  modes: [
    [1047, 0.8, 0.17],
    [1319, 0.9, 0.19],
    [1568, 1, 0.22],
    [2093, 0.35, 0.15],
  ],
  noise: 0.02,
  noiseSeconds: 0.01,
  attack: 0.008,
};

export const EFFECTS: Readonly<Record<EffectKind, Effect>> = {
  contact: { knock: CONTACT, gain: 0.4, takes: 5, spread: 0.08 },
  grab: { knock: GRAB, gain: 0.2, takes: 2, spread: 0.03 },
  release: { knock: RELEASE, gain: 0.09, takes: 2, spread: 0.03 },
  reach: { knock: REACH, gain: 0.06, takes: 1, spread: 0.02 },
  lose: { knock: LOSE, gain: 0.18, takes: 1, spread: 0.02 },
  teleport: { knock: TELEPORT, gain: 0.12, takes: 1, spread: 0.05 },
  click: { knock: CLICK, gain: 0.12, takes: 1, spread: 0.01 },
  wave: { knock: WAVE, gain: 0.16, takes: 1, spread: 0.01 },
  give: { knock: GIVE, gain: 0.17, takes: 1, spread: 0.01 },
};
