import type { Slot } from '../../src/core/base/ids.ts';
import { MAX_NAME_BYTES, MAX_ROOM_PLAYERS } from '../../src/core/base/constants.ts';
import { Random } from '../../src/core/base/random.ts';
import { decodeName, encodeName } from '../../src/core/base/text.ts';
import { readRoomCode } from '../../src/core/room/code.ts';
import { GuestRoom } from '../../src/core/room/guest/guest-room.ts';
import { HostRoom } from '../../src/core/room/host/host-room.ts';
import type { Other } from '../../src/core/room/identity/authenticated-lines.ts';
import { writeMessage } from '../../src/core/room/messages.ts';
import type { LineId } from '../../src/core/room/line.ts';
import { readRecording } from '../../src/core/peer/recording/recording.ts';
import { readWorldFile } from '../../src/core/wire/files/saved-world.ts';
import { ClientLimits } from '../../src/server/broker/limits/client-limits.ts';
import { ODD_MESSAGES } from '../core/room/odd-messages.ts';
import { keyOf } from '../support/keys.ts';
import { JOIN } from '../core/room/samples.ts';
import { faultsOf } from '../core/room/simulated/soundness.ts';
import { noise } from './bytes.ts';
import { newProfile } from '../../src/core/room/profile.ts';
import { chooseLevel, gameLevels } from '../../src/levels/levels.ts';

/** Messages of a round, and lines that say them. */
const MESSAGES = 400;
const LINES = 12;
/** Things to do that a room may leave behind in one step. */
const MOST_EFFECTS = 200;

/** Says odd messages to a host's room and a guest's, and to whatever else reads text. @returns what broke. */
export function playMessages(seed: number): {
  readonly messages: number;
  readonly faults: readonly string[];
} {
  const random = new Random(seed);
  const faults: string[] = [];
  try {
    sayToHost(random, faults);
    sayToGuest(random, faults);
    sayToOthers(random, faults);
  } catch (error) {
    faults.push(`it throws: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
  }
  return { messages: 3 * MESSAGES, faults };
}

function oddMessage(random: Random): string {
  if (random.chance(0.1)) return 'x'.repeat(random.below(20_000));
  if (random.chance(0.1)) return writeMessage({ ...JOIN, keeps: null, name: oddName(random) });
  return ODD_MESSAGES[random.below(ODD_MESSAGES.length)][1](random);
}

/** A page that has proved who it is. */
function otherOn(line: number): Other {
  return { page: `page ${line}`, key: keyOf(`${line}`) };
}

function oddName(random: Random): string {
  return Array.from({ length: random.below(20) }, () => String.fromCodePoint(random.below(0x3000))).join('');
}

function sayToHost(random: Random, faults: string[]): void {
  let secrets = 0;
  const room = new HostRoom({
    slot: random.below(MAX_ROOM_PLAYERS) as Slot,
    profile: newProfile('Hugo'),
    id: 'page of the host',
    key: keyOf('Hugo'),
    level: chooseLevel({ id: 'pile', seed: 1 }),
    capacity: 1 + random.below(MAX_ROOM_PLAYERS),
    secret: () => `a secret of the host ${secrets++}`,
  });
  const hearing = { lastPacketMs: () => -Infinity, roundTripMs: () => random.between(0, 1e6) };
  let now = 0;
  for (let i = 0; i < MESSAGES; i++) {
    const line = random.below(LINES) as LineId;
    if (random.chance(0.2)) room.lineOpened(line, otherOn(line));
    else if (random.chance(0.05)) room.lineClosed(line);
    else room.receive(line, oddMessage(random));
    if (random.chance(0.2)) room.tick((now += random.between(0, 400)), hearing);
    let effects = 0;
    room.drain(() => effects++);
    if (effects > MOST_EFFECTS) faults.push(`[F1] a message makes ${effects} effects`);
    if (room.roster.players.length > room.roster.capacity) faults.push('more players than seats');
  }
  faults.push(...faultsOf({ kind: 'roster', roster: room.roster }));
}

function sayToGuest(random: Random, faults: string[]): void {
  const room = new GuestRoom({
    profile: newProfile('Ada'),
    levels: gameLevels,
    colour: null,
    returns: false,
    room: null,
  });
  room.attemptOpened(0 as LineId);
  for (let i = 0; i < MESSAGES; i++) {
    if (random.chance(0.1))
      room.lineOpened((2 + random.below(LINES)) as LineId, otherOn(random.below(LINES)));
    room.receive(random.below(2 + LINES) as LineId, oddMessage(random));
    if (random.chance(0.1)) room.tick(i * 10, -Infinity);
    let effects = 0;
    room.drain(() => effects++);
    if (effects > MOST_EFFECTS) faults.push(`[F1] a message makes ${effects} effects`);
  }
  if (room.roster !== null) faults.push(...faultsOf({ kind: 'roster', roster: room.roster }));
}

function sayToOthers(random: Random, faults: string[]): void {
  const conduct = new ClientLimits();
  for (let i = 0; i < MESSAGES; i++) {
    conduct.read(oddMessage(random), i);
    readRoomCode(oddName(random));
    readWorldFile(noise(random), gameLevels);
    readRecording(noise(random), gameLevels);
    const name = decodeName(noise(random).subarray(0, 64));
    if (encodeName(name).length > MAX_NAME_BYTES) faults.push('[F1] a name is too long');
  }
}
