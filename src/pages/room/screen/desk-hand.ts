import type { PeerView } from '../../../core/peer/shown/peer-view.ts';
import type { DeskPlayer } from '../../../input/desk-player.ts';
import { ThrowArc } from '../../../view/throw-arc.ts';
import type { WorldView } from '../../../view/world-view.ts';

/** What a player at a desk sees of its own hand: the way that a throw would go. */
export class DeskHand {
  readonly #player: DeskPlayer;
  readonly #drawing: WorldView;
  readonly #arc = new ThrowArc();

  constructor(player: DeskPlayer, drawing: WorldView) {
    this.#player = player;
    this.#drawing = drawing;
    drawing.extras.add(this.#arc.mesh);
  }

  /**
   * Shows the hand in a frame, and tells the player what it sees.
   * @param seconds since the last call.
   */
  frame(view: PeerView, seconds: number): void {
    this.#player.see(view);
    this.#arc.update(this.#player.traceThrow(this.#arc.points), view.self, seconds);
  }

  dispose(): void {
    this.#drawing.extras.remove(this.#arc.mesh);
    this.#arc.dispose();
  }
}
