/** How a model's line looks in every chart. */
export type Look = {
  readonly colour: string;
  /** SVG's stroke-dasharray; '' is a whole line. */
  readonly dashes: string;
};

/**
 * A colour for each family of models. A model's family is its id up to the first hyphen, so a variant of a known
 * family needs nothing here, and a new family needs one more line: a colour that is dark enough for text on white.
 */
const COLOURS: Readonly<Record<string, string>> = {
  authority: '#1f6fd6',
  lockstep: '#c2410c',
  rollback: '#15803d',
  server: '#64748b',
  prediction: '#7e22ce',
  colyseus: '#4d7c0f',
  reconciliation: '#be185d',
  interpolation: '#0e7490',
  owner: '#a16207',
};
/** For families that have no colour yet. */
const OTHERWISE = '#111827';

/** The first model of a family has a whole line, its variants have these, in this order. */
const DASHES = ['', '8 4', '2 3', '10 3 2 3', '14 3', '5 2', '8 3 2 3 2 3', '1 5'];

/**
 * Gives each model its look: the colour of its family, and dashes of its own within the family.
 * @param ids all models, in the order in which they are shown.
 */
export function looksOf(ids: readonly string[]): ReadonlyMap<string, Look> {
  const used = new Map<string, number>();
  const looks = new Map<string, Look>();
  for (const id of ids) {
    const colour = COLOURS[familyOf(id)] ?? OTHERWISE;
    const count = used.get(colour) ?? 0;
    used.set(colour, count + 1);
    looks.set(id, { colour, dashes: DASHES[count] ?? `${count * 3} 3` });
  }
  return looks;
}

function familyOf(id: string): string {
  return id.split('-')[0];
}
