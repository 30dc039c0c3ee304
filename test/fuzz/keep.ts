import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Slot } from '../../src/core/base/ids.ts';
import { fromHex, toHex } from '../support/packets.ts';
import type { Given, RoundSeed } from './round.ts';

/** The fuzzer's findings: a file for each, which is a test from then on. */
export type Find = {
  readonly seed: RoundSeed;
  readonly faults: readonly string[];
  readonly given: readonly Given[];
};

const FOLDER = fileURLToPath(new URL('found/', import.meta.url));

/** Writes a find: the seeds, what broke, and the packets as `from to hex`. @returns the file's name. */
export function keepFind({ seed, faults, given }: Find): string {
  mkdirSync(FOLDER, { recursive: true });
  const name = `${seed.room}-${seed.attack}.hex`;
  const head = [
    `# room ${seed.room} attack ${seed.attack}`,
    ...faults.map((fault) => `# ${fault.split('\n')[0]}`),
  ];
  const lines = given.map(({ from, to, bytes }) => `${from} ${to} ${toHex(bytes)}`);
  writeFileSync(join(FOLDER, name), [...head, ...lines, ''].join('\n'));
  return name;
}

/** All finds that are kept, by file name. */
export function keptFinds(): readonly (readonly [name: string, find: Find])[] {
  if (!existsSync(FOLDER)) return [];
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.hex'));
  return names.sort().map((name) => [name, readFind(readFileSync(join(FOLDER, name), 'utf8'))] as const);
}

/** @throws Error if the text is no find. */
export function readFind(text: string): Find {
  const lines = text.trim().split('\n');
  const [, room, attack] = /^# room (\d+) attack (\d+)$/.exec(lines[0]) ?? [];
  if (room === undefined) throw new Error('a find begins with its seeds');
  const given = lines
    .filter((line) => !line.startsWith('#'))
    .map((line) => {
      const [from, to, hex] = line.split(' ');
      return { from: Number(from) as Slot, to: Number(to) as Slot, bytes: fromHex(hex ?? '') };
    });
  const faults = lines.slice(1).flatMap((line) => (line.startsWith('# ') ? [line.slice(2)] : []));
  return { seed: { room: Number(room), attack: Number(attack) }, faults, given };
}
