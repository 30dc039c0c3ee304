import type { Slot } from '../core/base/ids.ts';

/**
 * The look of a slot, everywhere: in the world, on a name tag, in a panel. The colours were chosen in OKLCH
 * with the same lightness 0.70, so that none looks brighter or darker than others; only yellow has 0.80, since a
 * darker yellow is olive. Their chroma is 0.165, or as much as sRGB has at that hue. They were converted offline: blue
 * 255°, red 25°, green 148°, yellow 90°, violet 300°, orange 58°, teal 192°, pink 348°. Not everybody can distinguish
 * players by hue, so there are marks: any two of them differ in every rotation of a cube.
 */
export type SlotLook = {
  /** The colour's name, in lower case. */
  readonly name: string;
  /** '#rrggbb'. */
  readonly colour: string;
  readonly mark: Mark;
};

/** A simple glyph. */
export type Mark = {
  readonly name: string;
  /** SVG path data in a box of MARK_BOX by MARK_BOX, for `<path d>` and for `Path2D`. */
  readonly path: string;
};

/** The side of the square in which marks are drawn. */
export const MARK_BOX = 24;

/** The looks of the first slots, in order, each with a colour and a mark of its own. */
export const FIRST_LOOKS: readonly SlotLook[] = [
  {
    name: 'blue',
    colour: '#55a0fd',
    mark: { name: 'disc', path: 'M12 2.5a9.5 9.5 0 1 1 0 19a9.5 9.5 0 1 1 0-19z' },
  },
  { name: 'red', colour: '#f46f68', mark: { name: 'triangle', path: 'M12 1.8 22.4 19.8H1.6z' } },
  { name: 'green', colour: '#45b960', mark: { name: 'square', path: 'M3.7 3.7h16.6v16.6H3.7z' } },
  {
    name: 'yellow',
    colour: '#e6b704',
    mark: {
      name: 'star',
      path: 'M12 1 14.9 8.6 22.9 9 16.7 14.1 18.8 21.9 12 17.5 5.2 21.9 7.3 14.1 1.1 9 9.1 8.6z',
    },
  },
  {
    name: 'violet',
    colour: '#af83f5',
    mark: { name: 'cross', path: 'M8.7 2h6.6v6.7H22v6.6h-6.7V22H8.7v-6.7H2V8.7h6.7z' },
  },
  {
    name: 'orange',
    colour: '#e8800f',
    mark: { name: 'bars', path: 'M3.5 3h6v18h-6zM14.5 3h6v18h-6z' },
  },
  {
    name: 'teal',
    colour: '#13b5b1',
    mark: { name: 'crescent', path: 'M16.5 2.6A10 10 0 1 0 16.5 21.4A11.5 11.5 0 0 1 16.5 2.6z' },
  },
  {
    name: 'pink',
    colour: '#e66eb0',
    mark: {
      name: 'ring',
      path: 'M12 2a10 10 0 1 1 0 20a10 10 0 1 1 0-20zM12 7a5 5 0 1 0 0 10a5 5 0 1 0 0-10z',
    },
  },
];

/**
 * For each round of slots, the number of places by which the marks are shifted against the colours. So no two slots
 * have both the same colour and the same mark. In the first round each colour has its own mark.
 */
const MARKS_FURTHER = [0, 3, 6, 1];

/** The look of each slot, in order. Slots beyond the first have their colours in turn, with other marks. */
export const SLOT_LOOKS: readonly SlotLook[] = MARKS_FURTHER.flatMap((further) =>
  FIRST_LOOKS.map((look, i) => {
    const { mark } = FIRST_LOOKS[(i + further) % FIRST_LOOKS.length];
    return further === 0 ? look : { name: `${look.name} ${mark.name}`, colour: look.colour, mark };
  }),
);

/** The colour of a body without authority. */
export const WHITE = '#f2f2f0';

/** Returns the look of a slot. */
export function slotLook(slot: Slot): SlotLook {
  return SLOT_LOOKS[slot];
}

/** Returns the name of a player that has given no name. */
export function nameOfSlot(slot: Slot): string {
  const { name } = slotLook(slot);
  return name.charAt(0).toUpperCase() + name.slice(1);
}
