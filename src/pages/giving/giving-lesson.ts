import type { BodyId, Slot } from '../../core/base/ids.ts';
import { NO_BODY } from '../../core/base/ids.ts';
import type { Peer } from '../../core/peer/peer.ts';
import type { PeerView } from '../../core/peer/shown/peer-view.ts';
import type { HandOverAction } from '../../storage/done-actions.ts';
import { HandOverRing } from '../../view/hand-over-ring.ts';
import type { WorldView } from '../../view/world-view.ts';
import type { Headset } from '../headset/headset.ts';
import type { RoomNews } from '../room/news/room-news.ts';
import type { Hints } from '../room/screen/hints.ts';
import type { Sounds } from '../sounds.ts';
import { firstCube } from './first-cube.ts';
import { GivingSteps, placeOf } from './giving-step.ts';
import { GivingWatch } from './giving-watch.ts';

/** Seconds between two choices of the body that glows. */
const CHOOSES_EVERY = 0.25;

/** The surroundings of a lesson. */
type Drawing = Pick<WorldView, 'extras'>;
type Worn = Pick<Headset, 'player' | 'knows' | 'learn' | 'teach' | 'showText'>;
type Lines = Pick<Hints, 'knows' | 'done' | 'teach'>;
type News = Pick<RoomNews, 'gave' | 'received' | 'nameOf'>;
type Bell = Pick<Sounds, 'handedOver'>;

/**
 * Teaches two players to hand a body over [A9], on the screen or in a headset: one body near both glows until somebody
 * has handed one over, and each player reads the next step. Each hand-over is praised: with a sentence, a sound, and a
 * ring around the body.
 */
export class GivingLesson {
  readonly #drawing: Drawing;
  readonly #headset: Worn;
  readonly #hints: Lines;
  readonly #news: News;
  readonly #sounds: Bell;
  readonly #watch: GivingWatch;
  readonly #steps = new GivingSteps();
  readonly #ring = new HandOverRing();
  #view: PeerView | null = null;
  /** The body that was handed over last, and whether any was. */
  #passed: BodyId = NO_BODY;
  #glow: BodyId = NO_BODY;
  #sinceChosen = Infinity;

  constructor(drawing: Drawing, headset: Worn, hints: Lines, news: News, sounds: Bell) {
    this.#drawing = drawing;
    this.#headset = headset;
    this.#hints = hints;
    this.#news = news;
    this.#sounds = sounds;
    drawing.extras.add(this.#ring.mesh);
    this.#watch = new GivingWatch({
      gave: (to, side) => {
        this.#learn('give');
        this.#steps.gave(this.#passed);
        headset.showText(side, news.gave(to));
      },
      received: (from, side) => {
        this.#learn('take');
        headset.showText(side, news.received(from));
      },
      passed: (body, to) => this.#praise(body, to),
    });
  }

  /** The body that glows, or NO_BODY. */
  get glow(): BodyId {
    return this.#glow;
  }

  /** Call it after every tick of the player's peer. */
  tick(peer: Peer): void {
    this.#watch.tick(peer);
  }

  /**
   * Teaches and draws in a frame.
   * @param seconds since the last call.
   * @param nowMs on any clock.
   */
  frame(view: PeerView, seconds: number, nowMs: number): void {
    this.#view = view;
    const step = this.#steps.next(view, this.#knows, nowMs);
    const friend = step === null ? '' : this.#news.nameOf(step.friend);
    if (this.#headset.player === null) this.#hints.teach(step, friend);
    this.#headset.teach(step, friend);
    this.#sinceChosen += seconds;
    if (this.#sinceChosen > CHOOSES_EVERY) {
      this.#sinceChosen = 0;
      const isNews = this.#passed === NO_BODY && !this.#knows('give') && !this.#knows('take');
      this.#glow = isNews ? firstCube(view) : NO_BODY;
    }
    this.#ring.update(placeOf(view, this.#passed), seconds);
  }

  dispose(): void {
    this.#drawing.extras.remove(this.#ring.mesh);
    this.#ring.dispose();
  }

  /** A player who knows it at a desk may have to learn it in a headset. */
  readonly #knows = (half: HandOverAction): boolean => {
    return this.#headset.player === null ? this.#hints.knows(half) : this.#headset.knows(half);
  };

  #learn(half: HandOverAction): void {
    if (this.#headset.player === null) this.#hints.done(half);
    else this.#headset.learn(half);
  }

  #praise(body: BodyId, to: Slot): void {
    this.#passed = body;
    this.#glow = NO_BODY;
    this.#ring.begin(to);
    if (this.#view !== null) this.#sounds.handedOver(placeOf(this.#view, body));
  }
}
