import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Slot } from '../../src/core/base/ids.ts';
import { readRecording } from '../../src/core/peer/recording/recording.ts';
import { readWorldFile } from '../../src/core/wire/files/saved-world.ts';
import { fromHex, toHex } from '../support/packets.ts';
import type { MessageSample } from './hand-made/messages.ts';
import type { LonePacket } from './hand-made/packets.ts';
import type { Given, Outcome } from './round.ts';
import { Round } from './round.ts';
import { gameLevels } from '../../src/levels/levels.ts';

/** A packet of the corpus: it is given to a peer of a seed's room after so many steps. */
export type PacketSample = Given & {
  readonly room: number;
  readonly step: number;
  /** The outcome when the corpus was made: 'accepted', or the reason for which it was refused. */
  readonly outcome: string;
};

/** A file of the corpus. */
export type FileSample = {
  readonly kind: 'world' | 'recording';
  readonly bytes: Uint8Array;
  /** 'read', or the fault. */
  readonly outcome: string;
};

export type Corpus = {
  readonly packets: readonly PacketSample[];
  /** Packets that are read by themselves. */
  readonly lone: readonly LonePacket[];
  readonly files: readonly FileSample[];
  readonly messages: readonly MessageSample[];
};

const FOLDER = fileURLToPath(new URL('corpus/', import.meta.url));
const PACKETS = join(FOLDER, 'packets.hex');
const LONE = join(FOLDER, 'lone.hex');
const FILES = join(FOLDER, 'files.hex');
const MESSAGES = join(FOLDER, 'messages.txt');
/** Steps that a room plays on after its last packet: what was taken in has its effects by then. */
const STEPS_AFTER = 60;
/** Stands for no bytes. */
const EMPTY = '-';

/** Reads the corpus. @throws Error if a line of it makes no sense. */
export function readCorpus(): Corpus {
  return {
    packets: linesOf(PACKETS).map(readPacket),
    lone: linesOf(LONE).map(readLone),
    files: linesOf(FILES).map(readFile),
    messages: linesOf(MESSAGES).map(readMessage),
  };
}

/** Writes the corpus anew. */
export function writeCorpus({ packets, lone, files, messages }: Corpus): void {
  mkdirSync(FOLDER, { recursive: true });
  const packetLines = packets.map(
    ({ room, step, from, to, bytes, outcome }) => `${room} ${step} ${from} ${to} ${hexOf(bytes)} ${outcome}`,
  );
  writeFileSync(PACKETS, ['# room step from to bytes outcome', ...packetLines, ''].join('\n'));
  const loneLines = lone.map(({ exchange, bytes, outcome }) => `${exchange} ${hexOf(bytes)} ${outcome}`);
  writeFileSync(LONE, ['# exchange bytes outcome', ...loneLines, ''].join('\n'));
  const messageLines = messages.map(({ side, outcome, text }) => `${side} ${outcome} ${text}`);
  writeFileSync(MESSAGES, ['# side outcome text', ...messageLines, ''].join('\n'));
  const fileLines = files.map(({ kind, bytes, outcome }) => `${kind} ${hexOf(bytes)} ${outcome}`);
  writeFileSync(FILES, ['# kind bytes outcome', ...fileLines, ''].join('\n'));
}

function linesOf(path: string): string[] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

function readPacket(line: string): PacketSample {
  const [, room, step, from, to, hex, outcome] =
    /^(\d+) (\d+) (\d) (\d) (-|[\da-f]+) (.+)$/.exec(line) ?? failOn(line);
  return {
    room: Number(room),
    step: Number(step),
    from: Number(from) as Slot,
    to: Number(to) as Slot,
    bytes: bytesOf(hex),
    outcome,
  };
}

function readFile(line: string): FileSample {
  const [, kind, hex, outcome] = /^(world|recording) (-|[\da-f]+) (.+)$/.exec(line) ?? failOn(line);
  return { kind: kind as FileSample['kind'], bytes: bytesOf(hex), outcome };
}

function readLone(line: string): LonePacket {
  const [, exchange, hex, outcome] = /^(\d+) (-|[\da-f]+) (.+)$/.exec(line) ?? failOn(line);
  return { exchange: Number(exchange), bytes: bytesOf(hex), outcome };
}

function readMessage(line: string): MessageSample {
  const [, side, outcome, text] = /^(guest|host) (\w+) (.*)$/.exec(line) ?? failOn(line);
  return { side: side as MessageSample['side'], text, outcome };
}

function failOn(line: string): never {
  throw new Error(`a line of the corpus makes no sense: ${line.slice(0, 80)}`);
}

function hexOf(bytes: Uint8Array): string {
  return bytes.length === 0 ? EMPTY : toHex(bytes);
}

function bytesOf(hex: string): Uint8Array {
  return hex === EMPTY ? new Uint8Array(0) : fromHex(hex);
}

/**
 * Gives packets to the room that they are for.
 * @param samples all of one room, by their steps.
 * @param onGiven hears what became of each.
 * @returns what broke.
 */
export function playPackets(
  samples: readonly PacketSample[],
  onGiven: (sample: PacketSample, outcome: Outcome) => void,
  beforeGiven: () => void = () => undefined,
): string[] {
  const round = new Round({ room: samples[0].room, attack: 0 });
  const faults: string[] = [];
  try {
    for (const sample of samples) {
      faults.push(...round.playTo(sample.step));
      beforeGiven();
      const outcome = round.give(sample);
      faults.push(...outcome.faults);
      onGiven(sample, outcome);
    }
    faults.push(...round.playTo(samples[samples.length - 1].step + STEPS_AFTER));
  } finally {
    round.dispose();
  }
  return faults;
}

/** Reads a file as its kind. @returns 'read', or the fault. */
export function outcomeOf({ kind, bytes }: Omit<FileSample, 'outcome'>): string {
  const read = kind === 'world' ? readWorldFile(bytes, gameLevels) : readRecording(bytes, gameLevels);
  return typeof read === 'string' ? read : 'read';
}
