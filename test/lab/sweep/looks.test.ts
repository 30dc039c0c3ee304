import { describe, expect, it } from 'vitest';
import { LAB_MODELS } from '../../../src/lab/models.ts';
import { looksOf } from '../../../src/lab/sweep/looks.ts';

const IDS = LAB_MODELS.map(({ id }) => id);

function differing(ids: readonly string[]): number {
  return new Set([...looksOf(ids).values()].map((look) => JSON.stringify(look))).size;
}

describe('the looks of models in charts', () => {
  it('all differ', () => {
    expect(differing(IDS)).toBe(IDS.length);
  });

  it('have a colour for each family; a new one gets its line in COLOURS of looks.ts', () => {
    const colours = [...looksOf(IDS).values()].map(({ colour }) => colour);
    expect(new Set(colours).size).toBe(new Set(IDS.map((id) => id.split('-')[0])).size);
    const unknown = looksOf(['telepathy']).get('telepathy')?.colour;
    expect(IDS.filter((_, i) => colours[i] === unknown)).toEqual([]);
  });

  it('have one colour within a family, another in each other, and a whole line for the first', () => {
    const looks = looksOf(['server', 'owner-add', 'owner-move', 'server-late']);
    const colours = ['server', 'server-late', 'owner-add', 'owner-move'].map((id) => looks.get(id)?.colour);
    expect(colours[0]).toBe(colours[1]);
    expect(colours[2]).toBe(colours[3]);
    expect(colours[0]).not.toBe(colours[2]);
    expect(['server', 'owner-add'].map((id) => looks.get(id)?.dashes)).toEqual(['', '']);
  });

  it('do not run out, however many models there are, and whatever they are called', () => {
    const many = Array.from({ length: 40 }, (_, i) => [`owner-${i}`, `new${i}`]).flat();
    expect(differing(many)).toBe(many.length);
  });
});
