import type { Slot } from '../../../core/base/ids.ts';
import { NO_SLOT } from '../../../core/base/ids.ts';
import type { EventKind, PeerEvent } from '../../../core/peer/diagnostics/event-log.ts';
import { slotLook } from '../../../view/slots.ts';
import type { RecordDecision } from '../../panel/figures.ts';

/**
 * Returns a body's event as a sentence; the record card lists these sentences under "Why it changed hands".
 */
export function decisionOf(event: Readonly<PeerEvent>): RecordDecision {
  return { tick: event.tick, rule: event.rule, sentence: SENTENCES[event.kind](who(event.slot), event.rule) };
}

function who(slot: Slot): string {
  if (slot === NO_SLOT) return 'Nobody';
  const { name } = slotLook(slot);
  return name.charAt(0).toUpperCase() + name.slice(1);
}

type Sentence = (who: string, rule: PeerEvent['rule']) => string;

const SENTENCES: Readonly<Record<EventKind, Sentence>> = {
  grab: (who) => `${who} grabbed it.`,
  keep: (who) => `${who} keeps it, without a hand.`,
  release: (who) => `${who} let go of it, and keeps it until it rests.`,
  throw: (who) => `${who} threw it, and keeps it until it rests.`,
  take: (who, rule) => `${who} took it: ${TAKES[rule] ?? 'nobody had it'}.`,
  return: (_, rule) =>
    rule === 'A7' ? 'It rested for a second, so nobody has it now.' : 'Nobody has it now.',
  accept: (who) => `${who} has it now: the claim was newer, or the host ruled so.`,
  confirm: (who) => `The host confirmed that ${who} has it.`,
  refuse: (who, rule) => `${who} did not get it: ${REFUSALS[rule] ?? 'the claim was rejected'}.`,
  deny: (who) => `${who} wanted it while another player held it.`,
  reach: (who) => `${who} reaches for it, and gets it as soon as it is let go.`,
  give: (who) => `${who} got it: it was let go while ${who} reached for it.`,
  override: (who) =>
    `${who} claimed it again while another player held it: the host set a newer sequence than the claim’s.`,
  lose: (who) => `${who} lost it: another claim was newer.`,
  free: (who) => `${who} left, so nobody has it now.`,
  collide: () => 'It was hit hard.',
  reset: () => 'The scene was reset.',
  spawn: (who) => `${who} made it.`,
  despawn: (who) => `${who} took it out of the world.`,
  tie: (who) => `${who} mended one of its joints.`,
  untie: (who) => `${who} removed one of its joints.`,
  break: () => 'One of its joints broke: the force on it was too great.',
  'put back': () => 'It had left the world, so it was put back at its start.',
};

/** Why a body was taken, by the rule that allows it. */
const TAKES: Readonly<Partial<Record<PeerEvent['rule'], string>>> = {
  A5: 'nobody had it, and it was touched',
  A8: 'nobody had it, and it rested on a body that was grabbed',
  A11: 'it swayed, and the host lets such bodies come to rest',
  A13: 'nobody had it',
  A14: 'it was struck',
};

/** Why a claim was refused, by the rule that refused it. */
const REFUSALS: Readonly<Partial<Record<PeerEvent['rule'], string>>> = {
  A1: 'another player has held it since',
  A2: 'another player has had it since',
  A3: 'the host’s ruling was too old',
  A4: 'the host knows nothing of it',
  S2: 'the host did not allow it',
  S4: 'that body no longer exists',
  H1: 'a guest can claim only for itself',
  H2: 'another player holds it',
  H5: 'the claim ran too far ahead',
};
