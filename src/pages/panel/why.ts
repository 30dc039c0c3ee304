import type { Slot } from '../../core/base/ids.ts';
import { NO_SLOT } from '../../core/base/ids.ts';
import type { EventKind, PeerEvent } from '../../core/peer/diagnostics/event-log.ts';
import { slotLook } from '../../view/slots.ts';
import type { RecordDecision } from './figures.ts';

/** An event of a body in words, for the question why it changed hands. */
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
  release: (who) => `${who} let go of it, and keeps it until it rests.`,
  throw: (who) => `${who} threw it, and keeps it until it rests.`,
  take: (who, rule) =>
    rule === 'A8'
      ? `${who} took it from none: it rested on what ${who} grabbed.`
      : rule === 'A11'
        ? `${who} took it, with all that it swayed with: as the host ${who} lets them come to rest.`
        : `${who} took it from none: something of ${who}’s touched it.`,
  return: (_, rule) =>
    rule === 'A7' ? 'It rested for a second, and is under none again.' : 'It is under none again.',
  accept: (who) => `It is ${who}’s: the claim was newer, or the host’s word.`,
  confirm: (who) => `The host agreed that it is ${who}’s.`,
  refuse: (who, rule) => `${who} did not get it: ${REFUSALS[rule] ?? 'the claim did not stand'}.`,
  deny: (who) => `${who} wanted it while another player held it.`,
  reach: (who) => `${who} reaches for it, and gets it when it is let go.`,
  give: (who) => `${who} got it: it was let go while ${who} reached for it.`,
  override: (who) =>
    `${who} claimed it again, out of another’s hand: the host moved its sequence past the claim.`,
  lose: (who) => `${who} lost it: another claim was newer.`,
  free: (who) => `${who} left, and it fell free.`,
  collide: () => 'It was hit hard.',
  reset: () => 'The scene began anew.',
  'put back': () => 'It had left the world, and was put back at its start.',
};

/** Why a claim is refused, by the rule that refuses it. */
const REFUSALS: Readonly<Partial<Record<PeerEvent['rule'], string>>> = {
  A1: 'someone has held it since',
  A2: 'someone has had it since',
  A3: 'the host’s word was too old',
  A4: 'the host knows nothing of it',
  H1: 'a guest speaks for itself alone',
  H2: 'another player holds it',
  H5: 'the claim ran too far ahead',
};
