import { Group } from 'three';
import { describe, expect, test } from 'vitest';
import { NO_BODY } from '../../../src/core/base/ids.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { GivingLesson } from '../../../src/pages/giving/giving-lesson.ts';
import type { HandOverAction } from '../../../src/storage/done-actions.ts';
import type { Player, Stage } from '../../support/stage.ts';
import { apart, CUBES, setStage } from '../../support/stage.ts';

const [A] = CUBES;

/** A player's page, as far as the lesson needs it; what it does is written down. */
class Page {
  readonly done: string[] = [];
  readonly known = new Set<HandOverAction>();
  readonly extras = new Group();
  readonly view: PeerView;
  readonly lesson: GivingLesson;
  taught = '';
  readonly #player: Player;
  #nowMs = 0;

  constructor(stage: Stage, player: Player) {
    this.#player = player;
    this.view = peerView(stage.level.bodies.length);
    const note = (what: string): string => {
      this.done.push(what);
      return what;
    };
    this.lesson = new GivingLesson(
      this,
      {
        player: null,
        knows: () => false,
        learn: () => undefined,
        teach: () => undefined,
        showText: () => undefined,
      },
      {
        knows: (action) => this.known.has(action as HandOverAction),
        done: (action) => {
          this.known.add(action as HandOverAction);
          note(`learnt to ${action}`);
        },
        teach: (step, friend) => (this.taught = step === null ? '' : `${step.kind}: ${friend}`),
      },
      {
        gave: (to) => note(`gave ${to}`),
        received: (from) => note(`received from ${from}`),
        nameOf: (slot) => `player ${slot}`,
      },
      { handedOver: () => void note('bell') },
    );
    const tick = stage.tick.bind(stage);
    stage.tick = () => {
      tick();
      this.lesson.tick(player.peer);
      this.#frame();
    };
  }

  get ring(): boolean {
    return this.extras.children[0].visible;
  }

  #frame(): void {
    this.#nowMs += 1000 / 60;
    this.#player.peer.view(1, this.#player.input, this.view);
    this.lesson.frame(this.view, 1 / 60, this.#nowMs);
  }
}

/** Two players stand beside a cube. */
async function meet(): Promise<{ stage: Stage; host: Page; guest: Page }> {
  const stage = await setStage({ guests: 1, cubes: apart(1) });
  for (const [player, x] of [
    [stage.host, -1.2],
    [stage.guest(1), 1.2],
  ] as const)
    Object.assign(player.input.head.position, { x, y: 1.6, z: 0.3 });
  return { stage, host: new Page(stage, stage.host), guest: new Page(stage, stage.guest(1)) };
}

describe('[A9] two who have never handed a cube over', () => {
  test('see one cube glow, are taught each step, and are praised; then it glows no more', async () => {
    const { stage, host, guest } = await meet();
    stage.letPass(1);
    expect([host.lesson.glow, guest.lesson.glow]).toEqual([A, A]);
    expect([host.taught, guest.taught]).toEqual(['pick up: player 1', 'pick up: player 0']);
    stage.host.grabs(A);
    stage.letPass(0.5);
    expect([host.taught, guest.taught]).toEqual(['hold still: player 1', 'press: player 0']);
    stage.guest(1).grabs(A);
    stage.letPass(0.5);
    expect([host.taught, guest.taught]).toEqual(['let go: player 1', 'keep: player 0']);
    expect([host.ring, guest.ring]).toEqual([false, false]);
    stage.host.releases();
    stage.letPass(0.5);
    expect(host.done).toEqual(['bell', 'learnt to give', 'gave 1']);
    expect(guest.done).toEqual(['bell', 'learnt to take', 'received from 0']);
    expect([host.ring, guest.ring]).toEqual([true, true]);
    stage.letPass(1);
    expect([host.ring, guest.ring]).toEqual([false, false]);
    expect([host.lesson.glow, guest.lesson.glow]).toEqual([NO_BODY, NO_BODY]);
    // The host is not asked at once to take back what it gave.
    expect([host.taught, guest.taught]).toEqual(['', 'hold still: player 0']);
    stage.letPass(4);
    expect([host.taught, guest.taught]).toEqual(['press: player 1', 'hold still: player 0']);
  });

  test('but for who has given or got one before, nothing glows', async () => {
    const { stage, host, guest } = await meet();
    host.known.add('give');
    stage.letPass(1);
    expect([host.lesson.glow, guest.lesson.glow]).toEqual([NO_BODY, A]);
  });
});
