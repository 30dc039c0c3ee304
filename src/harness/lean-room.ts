import { MAX_PACKET_BYTES, TICK_MS, TICK_SECONDS } from '../core/base/constants.ts';
import type { BodyId, ConnectionId, Slot } from '../core/base/ids.ts';
import { HAND_SIDES } from '../core/base/ids.ts';
import { MOTION, STRIDE } from '../core/base/state.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import { playerInput } from '../core/hands/hand-input.ts';
import { Peer } from '../core/peer/peer.ts';
import type { SharedSchema } from '../core/shared/schema.ts';
import { createLevel } from '../levels/levels.ts';
import { BodilessSimulation } from './bodiless-simulation.ts';

/** Ticks that a packet is under way. */
const DELAY = 6;
/** Metres a second of a body on its circle of half a metre, and radians a second of its turning. */
const SPEED = 1;
const TURN = 2;
const TURN_SINE = Math.sin(TURN * TICK_SECONDS);
const TURN_COSINE = Math.cos(TURN * TICK_SECONDS);

/** Moves a body on by one tick: along its circle, and half a radian a second about the upward axis. */
function circle(motion: Float32Array, at: number): void {
  const v = at + MOTION.linear;
  const x = motion[v] * TURN_COSINE - motion[v + 2] * TURN_SINE;
  const z = motion[v] * TURN_SINE + motion[v + 2] * TURN_COSINE;
  const size = Math.sqrt(x * x + z * z);
  motion[v] = size > 0 ? (x / size) * SPEED : SPEED;
  motion[v + 2] = size > 0 ? (z / size) * SPEED : 0;
  for (let i = 0; i < 3; i += 2) motion[at + i] += motion[v + i] * TICK_SECONDS;
  const r = at + MOTION.rotation;
  const half = (SPEED * TICK_SECONDS) / 4;
  const qx = motion[r];
  const qy = motion[r + 1];
  const qz = motion[r + 2];
  const qw = motion[r + 3];
  motion[r] = qx + half * qz;
  motion[r + 1] = qy + half * qw;
  motion[r + 2] = qz - half * qx;
  motion[r + 3] = qw - half * qy;
  const length = Math.sqrt(qx * qx + qy * qy + qz * qz + qw * qw) * Math.sqrt(1 + half * half);
  for (let i = 0; i < 4; i++) motion[r + i] /= length;
}

/**
 * One direction of a network that loses nothing and allocates nothing. Each packet arrives DELAY ticks later.
 */
class Post {
  readonly #packets = Array.from({ length: DELAY }, () => new Uint8Array(MAX_PACKET_BYTES));
  /** Views of the first bytes of each packet, by their number: a new view would be garbage. */
  readonly #views: readonly (Uint8Array | undefined)[][] = this.#packets.map(() => []);
  readonly #lengths = new Int32Array(DELAY);
  #tick = 0;

  /** The packet that is due in this tick, or null; call it once a tick, before `send`. */
  receive(): Uint8Array | null {
    const place = ++this.#tick % DELAY;
    const length = this.#lengths[place];
    this.#lengths[place] = 0;
    return length === 0 ? null : (this.#views[place][length] ??= this.#packets[place].subarray(0, length));
  }

  send(bytes: Uint8Array): void {
    const place = this.#tick % DELAY;
    for (let i = 0; i < bytes.length; i++) this.#packets[place][i] = bytes[i];
    this.#lengths[place] = bytes.length;
  }
}

const HOST = 0 as Slot;

/**
 * A host and a guest with an engine and a network of plain arrays around them, and hands that wave, so that
 * nothing else allocates. Each peer has authority over half of the bodies that move, and these move in every tick.
 */
export class LeanRoom {
  readonly peers: readonly [Peer, Peer];
  readonly #posts: readonly [Post, Post] = [new Post(), new Post()];
  readonly input: PlayerInput = playerInput();
  readonly #send: readonly ((to: Slot, bytes: Uint8Array) => void)[];
  #steps = 0;

  /**
   * @param schema what they share besides bodies; null for nothing.
   * @param moving the cubes that move: the first so many. The others rest.
   */
  constructor(cubes: number, schema: SharedSchema | null = null, moving: number = cubes) {
    const scene = createLevel({ id: 'grid', seed: 1, count: cubes });
    const create = (slot: number): Peer =>
      new Peer({
        slot: slot as Slot,
        host: HOST,
        level: scene,
        schema,
        simulation: new BodilessSimulation(scene, (motion, at) => {
          if (at < moving * STRIDE) circle(motion, at);
        }),
      });
    this.peers = [create(0), create(1)];
    this.peers[0].connect(1 as Slot, 1 as ConnectionId);
    this.peers[1].connect(HOST, 1 as ConnectionId);
    this.#send = this.#posts.map((post) => (_to: Slot, bytes: Uint8Array) => post.send(bytes));
    for (const side of HAND_SIDES) this.input.hands[side].tracked = true;
    for (let step = 0; step < 2 * DELAY; step++) this.step();
    for (const { diagnostics } of this.peers) {
      for (let i: number = diagnostics.slot; i < moving; i += 2) diagnostics.driver.take(i as BodyId);
    }
  }

  /** One step of both peers: receive, tick, send. */
  step(): void {
    this.#steps++;
    this.#wave();
    for (let slot = 0; slot < 2; slot++) this.#receive(slot);
    for (let slot = 0; slot < 2; slot++) {
      this.peers[slot].tick(this.input);
      this.peers[slot].poll(this.#steps * TICK_MS, this.#send[slot]);
    }
  }

  #receive(slot: number): void {
    const bytes = this.#posts[1 - slot].receive();
    if (bytes !== null) this.peers[slot].receive(this.#steps * TICK_MS, (1 - slot) as Slot, bytes);
  }

  #wave(): void {
    const { head, hands } = this.input;
    const way = Math.sin(this.#steps / 20);
    head.position.x = way / 4;
    head.position.y = 1.7;
    for (let side = 0; side < 2; side++) {
      const { position } = hands[side].pose;
      position.x = side - 0.5;
      position.y = 1.2 + way / 2;
      position.z = way - 0.5;
    }
  }
}
