import { LEFT, RIGHT } from '../../core/base/ids.ts';
import { rotate, vector } from '../../core/base/math.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import { PanelSurface } from '../../view/headset/panel-surface.ts';
import { slotLook } from '../../view/slots.ts';
import type { RoomModel } from '../room/model.ts';
import { calledBy } from '../room/model.ts';
import { spelled } from '../room/sentences.ts';

/** Metres: the panel, and how far above the hand its middle floats. */
const WIDTH = 0.24;
const HEIGHT = 0.3;
const ABOVE_HAND = 0.2;
/** Pixels of its picture: text that can be read at arm's length, and the button at its foot. */
const EDGE = 24;
const ROW = 40;
const BUTTON = 64;
const INK = '#1c2733';
const SOFT = '#55616e';
const PAPER = '#fafcfd';
const ACCENT = '#2a6f97';
const FONT = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';
/** The trigger counts as pressed from here on. */
const PRESSED = 0.5;

/** The panel over the left wrist, which Y or X opens: the room's code, who is here, and the way out. */
export class WristPanel {
  readonly surface = new PanelSurface(WIDTH, HEIGHT);
  readonly #forward = vector();
  #isOpen = false;
  #written = '';
  #wasPressed = false;

  constructor() {
    this.surface.mesh.visible = false;
  }

  toggle(): void {
    this.#isOpen = !this.#isOpen;
  }

  /**
   * Shows the room over the left hand, turned to the head.
   * @returns true if the right hand has pressed the way out.
   */
  update({ head, hands }: PlayerInput, model: RoomModel): boolean {
    const { mesh } = this.surface;
    const wrist = hands[LEFT];
    mesh.visible = this.#isOpen && wrist.tracked;
    if (!mesh.visible) return false;
    const { x, y, z } = wrist.pose.position;
    mesh.position.set(x, y + ABOVE_HAND, z);
    mesh.lookAt(head.position.x, head.position.y, head.position.z);
    const { position, rotation } = hands[RIGHT].pose;
    const hit = this.surface.ray(position, rotate(rotation, { x: 0, y: 0, z: -1 }, this.#forward));
    const isOver = hands[RIGHT].tracked && hit !== null && hit.y > this.surface.height - BUTTON - EDGE;
    this.#write(model, isOver);
    const isPressed = hands[RIGHT].trigger > PRESSED;
    const presses = isPressed && !this.#wasPressed && isOver;
    this.#wasPressed = isPressed;
    return presses;
  }

  #write(model: RoomModel, isOver: boolean): void {
    const lines = model.players.map(
      (player) => `${calledBy(player)} ${player.roundTripMs} ${player.presence}`,
    );
    const written = [model.code, isOver, ...lines].join('\n');
    if (written === this.#written) return;
    this.#written = written;
    this.surface.redraw((context) => draw(context, this.surface, model, isOver));
  }

  dispose(): void {
    this.surface.dispose();
  }
}

function draw(
  context: CanvasRenderingContext2D,
  { width, height }: PanelSurface,
  model: RoomModel,
  isOver: boolean,
): void {
  context.fillStyle = PAPER;
  context.beginPath();
  context.roundRect(0, 0, width, height, EDGE);
  context.fill();
  context.textBaseline = 'middle';
  context.fillStyle = INK;
  context.font = `700 46px ${FONT}`;
  context.fillText(spelled(model.code), EDGE, EDGE + 24);
  model.players.forEach((player, i) => {
    const y = EDGE + 80 + i * ROW * ((height - 200) / (ROW * 8));
    const here = player.presence === 'here';
    context.fillStyle = slotLook(player.slot).colour;
    context.beginPath();
    context.roundRect(EDGE, y - 10, 20, 20, 6);
    context.fill();
    context.fillStyle = here ? INK : SOFT;
    context.font = `500 22px ${FONT}`;
    context.fillText(calledBy(player), EDGE + 32, y, width - 150);
    context.textAlign = 'right';
    context.fillText(
      here ? figureOf(player.slot === model.host, player.roundTripMs) : 'lost',
      width - EDGE,
      y,
    );
    context.textAlign = 'left';
  });
  context.fillStyle = isOver ? INK : ACCENT;
  context.beginPath();
  context.roundRect(EDGE, height - EDGE - BUTTON, width - 2 * EDGE, BUTTON, 14);
  context.fill();
  context.fillStyle = '#ffffff';
  context.font = `600 26px ${FONT}`;
  context.textAlign = 'center';
  context.fillText('Leave the headset', width / 2, height - EDGE - BUTTON / 2);
}

function figureOf(isHost: boolean, roundTripMs: number): string {
  return isHost ? 'host' : `${roundTripMs} ms`;
}
