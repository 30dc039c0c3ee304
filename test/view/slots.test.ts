import { describe, expect, test } from 'vitest';
import { FIRST_SLOTS, MAX_PLAYERS } from '../../src/core/base/constants.ts';
import type { Slot } from '../../src/core/base/ids.ts';
import { FIRST_LOOKS, MARK_BOX, SLOT_LOOKS, slotLook } from '../../src/view/slots.ts';

/** OKLab of an sRGB colour (B. Ottosson): lightness, and two axes of hue. */
function oklab(hex: string): readonly [number, number, number] {
  const [r, g, b] = [1, 3, 5].map((at) => {
    const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

describe('the looks of slots', () => {
  test('there is one for each player, the first four as in Fiedler’s sample project', () => {
    expect(SLOT_LOOKS).toHaveLength(MAX_PLAYERS);
    expect(FIRST_LOOKS).toHaveLength(FIRST_SLOTS);
    expect(SLOT_LOOKS.slice(0, FIRST_SLOTS)).toEqual(FIRST_LOOKS);
    expect(FIRST_LOOKS.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['blue', 'red', 'green', 'yellow', 'violet', 'orange', 'teal', 'pink']),
    );
    expect([0, 1, 2, 3].map((slot) => slotLook(slot as Slot).name)).toEqual([
      'blue',
      'red',
      'green',
      'yellow',
    ]);
  });

  test('are equally light, but for yellow, which is none when it is dark', () => {
    for (const { name, colour } of SLOT_LOOKS)
      expect(oklab(colour)[0], name).toBeCloseTo(name.startsWith('yellow') ? 0.8 : 0.7, 2);
  });

  test('keep a distance from each other in hue', () => {
    for (const one of FIRST_LOOKS) {
      for (const other of FIRST_LOOKS) {
        if (one === other) continue;
        const [, a, b] = oklab(one.colour);
        const [, c, d] = oklab(other.colour);
        expect(Math.hypot(a - c, b - d), `${one.name} and ${other.name}`).toBeGreaterThan(0.08);
      }
    }
  });

  test('are all different: of two slots with one colour, each has another mark and another name', () => {
    expect(new Set(SLOT_LOOKS.map(({ colour }) => colour)).size).toBe(FIRST_SLOTS);
    for (const { colour } of FIRST_LOOKS) {
      const alike = SLOT_LOOKS.filter((look) => look.colour === colour);
      expect(new Set(alike.map(({ mark }) => mark.path)).size, colour).toBe(MAX_PLAYERS / FIRST_SLOTS);
    }
    expect(new Set(SLOT_LOOKS.map(({ colour, mark }) => colour + mark.path)).size).toBe(MAX_PLAYERS);
    expect(new Set(SLOT_LOOKS.map(({ name }) => name)).size).toBe(MAX_PLAYERS);
  });

  test('of the first slots have a mark of their own, drawn inside its box', () => {
    expect(new Set(FIRST_LOOKS.map(({ mark }) => mark.name)).size).toBe(FIRST_SLOTS);
    expect(new Set(FIRST_LOOKS.map(({ mark }) => mark.path)).size).toBe(FIRST_SLOTS);
    for (const { mark } of FIRST_LOOKS) {
      expect(mark.path).toMatch(/^M[-\d.aAhHvVlLmMz ]+z$/);
      for (const number of mark.path.match(/\d+(\.\d+)?/g) ?? []) {
        expect(Number(number)).toBeLessThanOrEqual(MARK_BOX);
      }
    }
  });
});
