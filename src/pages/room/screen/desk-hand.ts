import type { Slot } from '../../../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../../core/base/ids.ts';
import { distance } from '../../../core/base/math.ts';
import { POSE_STRIDE } from '../../../core/base/state.ts';
import type { PeerView } from '../../../core/peer/shown/peer-view.ts';
import type { DeskPlayer } from '../../../input/desk-player.ts';
import type { HandDeed } from '../../../input/desk-router.ts';
import { ThrowArc } from '../../../view/throw-arc.ts';
import type { WorldView } from '../../../view/world-view.ts';
import { el, setText } from '../../panel/dom.ts';
import type { TouchControls } from './touch.ts';

/** Seconds for which the hand points at the same body before a screen reader hears of it. */
const SETTLED = 0.4;

/** The surroundings of a DeskHand. */
export type DeskHandParts = {
  readonly player: DeskPlayer;
  readonly drawing: WorldView;
  readonly touch: TouchControls;
  /** Where the sentences for screen readers go. */
  readonly container: HTMLElement;
  readonly nameOf: (slot: Slot) => string;
  /** True if the level has nothing but cubes; else no sentence speaks of them. */
  readonly hasOnlyCubes: () => boolean;
};

/**
 * Shows a player at a desk what its hand does: the path of a throw, and the tools for the held body. While only keys
 * move the hand, it also tells screen readers about each action.
 */
export class DeskHand {
  readonly #parts: DeskHandParts;
  readonly #arc = new ThrowArc();
  readonly #words = el('p', { class: 'spoken', role: 'status' });
  #held: number = NO_BODY;
  #reach: number = NO_BODY;
  #pointed: number = NO_BODY;
  #pointedFor = 0;
  #misses = 0;
  /** The last view; null before the first frame. */
  #view: PeerView | null = null;

  constructor(parts: DeskHandParts) {
    this.#parts = parts;
    parts.drawing.extras.add(this.#arc.mesh);
    parts.container.append(this.#words);
  }

  /**
   * Shows the hand in a frame, and tells the player what it sees.
   * @param seconds since the last call.
   */
  frame(view: PeerView, seconds: number): void {
    const { player, touch } = this.#parts;
    player.see(view);
    this.#view = view;
    this.#arc.update(player.traceThrow(this.#arc.points), view.self, seconds);
    const isAlone = !view.avatars.some(({ present, slot }) => present && slot !== view.self);
    touch.hold(player.holds ? player.pointer : null, !isAlone);
    if (view.self >= 0) this.#tell(view, seconds);
  }

  /** A key has done something. */
  did(deed: HandDeed): void {
    if (deed.kind === 'hold out') {
      const name = deed.friend === null ? null : this.#parts.nameOf(deed.friend);
      const how = this.#parts.player.keysLead ? ' Press Enter to let go.' : '';
      if (name !== null) this.#say(`You hold the ${this.#thing} out to ${name}.${how}`);
      else this.#say(this.#parts.player.holds ? 'Nobody else is here.' : 'You hold nothing.');
      return;
    }
    const { choice } = deed;
    if (choice === null) {
      this.#say(`No ${this.#thing} is in view.`);
      return;
    }
    const owner = this.#view === null ? 'a' : this.#ownerOf(this.#view, choice.body);
    const thing = owner === 'a' ? capital(this.#thing) : `${owner} ${this.#thing},`;
    this.#say(`${thing} ${choice.number} of ${choice.of}, ${far(choice.metres)}.`);
    this.#pointed = choice.body;
    this.#pointedFor = Infinity;
  }

  dispose(): void {
    this.#parts.drawing.extras.remove(this.#arc.mesh);
    this.#arc.dispose();
    this.#words.remove();
  }

  #tell(view: PeerView, seconds: number): void {
    const { player } = this.#parts;
    const { head, hands } = view.avatars[view.self];
    const { held, reach, selected } = hands[RIGHT];
    // Without the keys only a hand-over is told, and it has ended.
    if (!player.keysLead && held !== this.#held) setText(this.#words, '');
    if (player.keysLead) {
      if (held !== this.#held && held !== NO_BODY) this.#say(`You hold the ${this.#thing}.`);
      else if (held !== this.#held) this.#say(player.threw ? 'Thrown.' : `You let go of the ${this.#thing}.`);
      else if (reach !== this.#reach && reach !== NO_BODY)
        this.#say(`You reach for ${this.#ownerOf(view, reach)} ${this.#thing}.`);
      else if (player.misses !== this.#misses) this.#say('Nothing is there to take.');
      else if (held === NO_BODY)
        this.#tellPointed(view, selected, distance(head.position, at(view, selected)), seconds);
    }
    this.#held = held;
    this.#reach = reach;
    this.#misses = player.misses;
  }

  /** Says what the hand points at, once it has settled there. */
  #tellPointed(view: PeerView, body: number, metres: number, seconds: number): void {
    if (body !== this.#pointed) {
      this.#pointed = body;
      this.#pointedFor = 0;
    }
    const before = this.#pointedFor;
    this.#pointedFor += seconds;
    if (body === NO_BODY || before >= SETTLED || this.#pointedFor < SETTLED) return;
    this.#say(`${capital(this.#ownerOf(view, body))} ${this.#thing}, ${far(metres)}.`);
  }

  get #thing(): string {
    return this.#parts.hasOnlyCubes() ? 'cube' : 'thing';
  }

  /** "Ada’s", or "a" if nobody holds the body. */
  #ownerOf(view: PeerView, body: number): string {
    const owner = view.avatars.find(
      ({ present, slot, hands }) => present && slot !== view.self && hands.some(({ held }) => held === body),
    );
    return owner === undefined ? 'a' : `${this.#parts.nameOf(owner.slot)}’s`;
  }

  /** Says a sentence; the same one again is said again. */
  #say(sentence: string): void {
    setText(this.#words, this.#words.textContent === sentence ? `${sentence}\u00a0` : sentence);
  }
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** For example "3 metres away". */
function far(metres: number): string {
  const whole = Math.max(1, Math.round(metres));
  return `${whole} ${whole === 1 ? 'metre' : 'metres'} away`;
}

/** Where a body is; the origin for none. */
function at({ poses }: PeerView, body: number): { x: number; y: number; z: number } {
  const [x = 0, y = 0, z = 0] = body < 0 ? [] : poses.subarray(body * POSE_STRIDE, body * POSE_STRIDE + 3);
  return { x, y, z };
}
