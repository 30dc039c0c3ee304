import type {
  Before,
  Circumstances,
  PlainAuthor,
  PlainAvatar,
  PlainHand,
  PlainHeader,
  PlainHeld,
  PlainPacket,
} from '../../../support/packets.ts';
import { componentsFor, dequantiseRotation } from './grids.ts';
import type { Kind } from './reader.ts';
import { Bits, KINDS, level, mustBe, Refused, takesPlaceOf, within } from './reader.ts';
import type { PredictionMode } from './updates.ts';
import { readShared } from './shared.ts';
import { readUpdates } from './updates.ts';

/**
 * A decoder that is written from STANDARD.md alone. It uses nothing of the project but the priors, has every number
 * of the page, and aims only at clarity. If it and the project's reader differ, the page or one of the two is wrong.
 */
export function decodeByStandard(circumstances: Circumstances, bytes: Uint8Array): PlainPacket {
  return readByStandard(circumstances, bytes).packet;
}

/** The packet, or null if the page refuses the bytes. */
export function tryByStandard(circumstances: Circumstances, bytes: Uint8Array): PlainPacket | null {
  try {
    return decodeByStandard(circumstances, bytes);
  } catch (fault) {
    if (fault instanceof Refused) return null;
    throw fault;
  }
}

/** The packet, and how each update was coded, on which the reading of later packets depends. */
export function readByStandard(
  circumstances: Circumstances,
  bytes: Uint8Array,
): { packet: PlainPacket; modes: PredictionMode[] } {
  mustBe(bytes.length <= 1100, 'too long');
  const bits = new Bits(bytes, circumstances.rate ?? 60);
  const header = readHeader(bits);
  const base = within(bits.small(KINDS.headerNumber, 3, 1), 0, 47);
  const authors: PlainAuthor[] = [];
  const wide = bits.flag(7839 + (circumstances.speaker > 7 ? 1 : 0));
  for (let slot = 0; slot < (wide ? 32 : 8); slot++) {
    const author = readAuthor(bits, circumstances, base, slot);
    if (author !== null) authors.push(author);
  }
  mustBe(!wide || authors.some(({ slot }) => slot > 7), 'wide without a slot beyond the first');
  const { schema } = circumstances;
  const shared = schema === undefined ? undefined : readShared(bits, schema, circumstances, authors);
  const read = readUpdates(bits, circumstances, base, authors);
  bits.end();
  const updates = read.map(({ update }) => update);
  const packet = { header, authors, base, updates, ...(shared === undefined ? {} : { shared }) };
  return { packet, modes: read.map(({ mode }) => mode) };
}

function readHeader(bits: Bits): PlainHeader {
  const number = (block: number): number => within(bits.small(KINDS.headerNumber, block, 1), 0, 65535);
  const connection = number(0);
  const term = number(1);
  const reset = number(2);
  const sequence = bits.plain(16);
  if (!bits.flag(7827)) return { connection, term, reset, sequence, ack: -1, ackBits: 0 };
  const ack = bits.plain(16);
  const groups: number[] = [];
  for (const shift of [0, 8, 16, 24]) {
    const all = bits.flag(7828 + (groups.at(-1) === 255 || shift === 0 ? 1 : 0));
    groups.push(all ? 255 : readGroup(bits));
  }
  const ackBits = groups.reduce((sum, group, i) => sum + group * 256 ** i, 0);
  return { connection, term, reset, sequence, ack, ackBits };
}

function readGroup(bits: Bits): number {
  let group = 0;
  for (let i = 0, last = 1, beforeLast = 1; i < 8; i++) {
    const bit = bits.bit(7830 + 2 * beforeLast + last);
    group += bit * 2 ** i;
    beforeLast = last;
    last = bit;
  }
  mustBe(group !== 255, 'all have arrived, but coded as not all');
  return group;
}

function readAuthor(
  bits: Bits,
  circumstances: Circumstances,
  base: number,
  slot: number,
): PlainAuthor | null {
  const { packet, speaker, newestTicks, bodies } = circumstances;
  const inBase = base > 0 ? authorOf(circumstances, packet - base, slot) : undefined;
  const present = 7834 + (inBase === undefined ? 0 : 2) + (slot === speaker ? 1 : 0);
  if (!bits.flag(present)) return null;
  const low =
    inBase === undefined
      ? bits.plain(16)
      : inBase.tick +
        base * Math.ceil(bits.rate / 60) +
        within(bits.small(KINDS.authorTick, 0, 0), -32768, 32767);
  const tick = unwrapTick(modulo(low, 65536), newestTicks[slot] ?? -1);
  const shift = readShift(bits, circumstances, inBase);
  const wasAvatarless = inBase?.avatarless === true;
  if (!bits.flag(wasAvatarless ? 7841 : 7838)) {
    const avatarless = bits.flag(7842 + (wasAvatarless ? 1 : 0));
    return { slot, tick, ...shift, avatar: null, baselineAge: 0, ...(avatarless ? { avatarless } : {}) };
  }
  const said = inBase !== undefined && inBase.avatar !== null;
  const age = bits.baselineAge(1, base, said);
  const before = age > 0 ? authorOf(circumstances, packet - age, slot)?.avatar : null;
  mustBe(before !== undefined && (age === 0 || before !== null), 'unknown baseline');
  return { slot, tick, ...shift, avatar: readAvatar(bits, bodies, before), baselineAge: age };
}

function readShift(
  bits: Bits,
  { hasTime }: Circumstances,
  inBase: PlainAuthor | undefined,
): Pick<PlainAuthor, 'shift'> {
  if (hasTime !== true) return {};
  const base = inBase?.shift ?? 0;
  let shift = base;
  if (inBase === undefined || bits.plain(1) === 0) {
    if (inBase !== undefined && bits.plain(1) === 1) {
      const step = bits.plain(7) - 64;
      mustBe(step !== 0, 'near, but the same');
      shift = base + step;
    } else {
      const low = bits.plain(16);
      shift = low + 65536 * bits.plain(16);
      const off = modulo(shift - base + 64, 2 ** 32);
      mustBe(inBase === undefined || off >= 128, 'near, but coded as far');
    }
  }
  const signed = modulo(shift + 2 ** 31, 2 ** 32) - 2 ** 31;
  return signed === 0 ? {} : { shift: signed };
}

function authorOf({ before }: Circumstances, packet: number, slot: number): PlainAuthor | undefined {
  const saying = before.filter(
    (one) => takesPlaceOf(one.packet, packet) && authorIn(one, slot) !== undefined,
  );
  const last = saying.at(-1);
  return last?.packet === packet ? authorIn(last, slot) : undefined;
}

function authorIn({ authors }: Before, slot: number): PlainAuthor | undefined {
  return authors?.findLast((author) => author.slot === slot);
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}

function unwrapTick(low: number, newest: number): number {
  if (newest < 0) return low;
  const tick = newest + modulo(low - newest + 32768, 65536) - 32768;
  if (tick < 0) return tick + 65536;
  return tick > 2 ** 30 ? low : tick;
}

function readAvatar(bits: Bits, bodies: number, before: PlainAvatar | null): PlainAvatar {
  const age = bits.flag(7802) ? bits.range(0, 255) : bits.range(256, 4095);
  const head = readPose(bits, 7805, KINDS.headPosition, KINDS.headRotation, before?.head ?? null);
  const left = readHand(bits, bodies, before, 0, -1);
  const right = readHand(bits, bodies, before, 1, left?.held?.body ?? -1);
  const voice = bits.another(7803, before?.voice ?? 0, 15);
  const name = bits.flag(7804) ? Array.from({ length: bits.range(1, 32) }, () => bits.plain(8)) : [];
  return { age, head, hands: [left, right], voice, name };
}

function readHand(
  bits: Bits,
  bodies: number,
  baseline: PlainAvatar | null,
  side: number,
  otherHolds: number,
): PlainHand | null {
  const before = baseline === null ? null : baseline.hands[side];
  const same = before !== null && bits.flag(7825 + (before.held === null ? 0 : 1));
  const activity = same ? before : readActivity(bits, bodies, baseline !== null, before);
  if (activity === null) return null;
  if (before !== null)
    mustBe(same || !sameActivity(activity, before), 'the same activity, but coded as another');
  mustBe(activity.held === null || activity.held.body !== otherHolds, 'in both hands');
  const pose = readPose(bits, 7806, KINDS.handPosition, KINDS.handRotation, before?.pose ?? null);
  if (activity.held === null) return { ...activity, pose, held: null };
  const known = before?.held?.body === activity.held.body ? before.held.offset : null;
  return { ...activity, pose, held: { ...activity.held, offset: readOffset(bits, known) } };
}

/** Everything of a hand but its poses. */
type Activity = Omit<PlainHand, 'pose' | 'held'> & { readonly held: Omit<PlainHeld, 'offset'> | null };

function sameActivity(a: Activity, b: Activity): boolean {
  const said = ({ grip, trigger, pointing, thumbUp, reach, held }: Activity): string =>
    JSON.stringify([grip, trigger, pointing, thumbUp, reach, held?.body, held?.ownership, held?.authority]);
  return said(a) === said(b);
}

function readActivity(
  bits: Bits,
  bodies: number,
  isKnown: boolean,
  before: PlainHand | null,
): Activity | null {
  const handFlag = (n: number, was: boolean | undefined): boolean =>
    bits.flag(7809 + 3 * n + (was === undefined ? (n < 3 ? 0 : 1) : was ? 2 : 1));
  if (!handFlag(0, isKnown ? before !== null : undefined)) return null;
  const grip = bits.another(7807, before?.grip ?? 0, 63);
  const trigger = bits.another(7808, before?.trigger ?? 0, 63);
  const pointing = handFlag(1, before?.pointing);
  const thumbUp = handFlag(2, before?.thumbUp);
  const activity = { grip, trigger, pointing, thumbUp };
  const heldBefore = before?.held ?? null;
  const reachBefore = before?.reach ?? -1;
  if (handFlag(3, before === null ? undefined : heldBefore !== null))
    return { ...activity, held: readHeld(bits, bodies, heldBefore), reach: -1 };
  const reaches = handFlag(4, before === null ? undefined : reachBefore >= 0);
  return { ...activity, held: null, reach: reaches ? readBody(bits, bodies, reachBefore) : -1 };
}

/** @param before the body that was held or reached for before, or -1. */
function readBody(bits: Bits, bodies: number, before: number): number {
  return before < 0 ? bits.range(0, bodies - 1) : bits.another(7824, before, bodies - 1);
}

function readHeld(bits: Bits, bodies: number, before: PlainHeld | null): Omit<PlainHeld, 'offset'> {
  const body = readBody(bits, bodies, before?.body ?? -1);
  const same = before !== null && before.body === body ? before : null;
  const ownership = bits.sequence(2, same?.ownership ?? 0);
  return { body, ownership, authority: bits.sequence(3, same?.authority ?? 0) };
}

function readOffset(bits: Bits, before: readonly number[] | null): number[] {
  if (before === null) {
    const position = [0, 1, 2].map(() => bits.range(-131071, 131071));
    return [...position, bits.plain(2), ...[0, 1, 2].map(() => bits.range(-16383, 16383))];
  }
  let change = 0;
  const position = [0, 1, 2].map((i) => {
    change = bits.small(KINDS.offsetPosition, level(change), 0);
    return within(before[i] + change, -131071, 131071);
  });
  return [...position, ...readTurned(bits, KINDS.offsetRotation, before.slice(3), 1, change)];
}

function readPose(
  bits: Bits,
  samePose: number,
  places: Kind,
  turns: Kind,
  before: readonly number[] | null,
): number[] {
  const most = 1_048_575;
  if (before === null) {
    const position = [0, 1, 2].map(() => 4 * bits.range(-most, most));
    return [...position, bits.plain(2), ...[0, 1, 2].map(() => 16 * bits.range(-1023, 1023))];
  }
  if (bits.flag(samePose)) return [...before];
  let change = 0;
  const position = [0, 1, 2].map((i) => {
    change = bits.small(places, i === 0 ? 7 : level(change), 0);
    return 4 * within(before[i] / 4 + change, -most, most);
  });
  const pose = [...position, ...readTurned(bits, turns, before.slice(3), 16, change)];
  mustBe(
    pose.some((n, i) => n !== before[i]),
    'the same pose, but coded as another',
  );
  return pose;
}

/** @param moved the z difference of the position. */
function readTurned(
  bits: Bits,
  kind: Kind,
  before: readonly number[],
  step: number,
  moved: number,
): number[] {
  const largest = bits.largest(7801, before[0]);
  const most = Math.floor(16383 / step);
  let block = 7 + level(moved);
  const three = componentsFor(dequantiseRotation(before), largest).map((n) => {
    const change = bits.small(kind, block, 0);
    block = level(change);
    return step * within(Math.round(n / step) + change, -most, most);
  });
  return [largest, ...three];
}
