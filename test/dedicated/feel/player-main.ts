import type { Slot } from '../../../src/core/base/ids.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import { SocketConnection } from '../../../src/transport/socket/socket-connection.ts';
import { letGo, NodePlayer } from '../node-player.ts';
import { restOf } from '../rest.ts';
import type { Answer, LineKind, Order } from './messages.ts';
import { Play } from './play.ts';

/** The process of one player. It does as its parent asks, and ends with it. */

/** The scene that is played. */
const SCENE = { id: 'pile', seed: 1 } as const;
/** Milliseconds after which a player that is not in gives up: a page still tries then, but nobody waits so long. */
const GIVE_UP_MS = 60_000;
/** Milliseconds between two looks whether it is in: the resolution of that time. */
const LOOK_MS = 5;

let player: NodePlayer | null = null;
let play: Play | null = null;

function act(acting: NodePlayer, dueMs: number): void {
  play?.act(acting, dueMs);
}

async function obey(order: Order): Promise<void> {
  switch (order.kind) {
    case 'open':
      return begin(NodePlayer.open(order.url, order.code, SCENE, act));
    case 'enter':
      return begin(NodePlayer.enter(order.network, order.code, order.colour, act));
    case 'leave':
      player?.stop();
      player = null;
      tell({ kind: 'left' });
      return;
    case 'play':
      startPlay(order);
      return;
    case 'rest':
      play = null;
      if (player !== null) letGo(player.input);
      tell({ kind: 'rests', bodies: player === null ? '' : restOf(player) });
  }
}

async function begin(entering: Promise<NodePlayer>): Promise<void> {
  const began = performance.now();
  const entered = await entering;
  player = entered;
  while (!entered.isIn && performance.now() - began < GIVE_UP_MS)
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
  tell(entered.isIn ? { kind: 'in', seconds: (performance.now() - began) / 1000 } : { kind: 'not in' });
}

function startPlay(order: Extract<Order, { kind: 'play' }>): void {
  const playing = player;
  const world = playing?.session.world ?? null;
  if (playing === null || world === null) throw new Error('a player that is in no room can not play');
  play = new Play(world, order, (sight) => tell({ kind: 'played', line: lineOf(playing), sight }));
}

function lineOf({ session }: NodePlayer): LineKind {
  const host: Slot | null = session.roster?.host ?? null;
  const line = host === null ? null : session.station.transport.lineTo(host);
  if (line === null) return 'none';
  return line.connection instanceof SocketConnection ? 'WebSocket' : 'UDP';
}

function tell(answer: Answer): void {
  process.send?.(answer);
}

process.on('message', (order: Order) => void obey(order));
process.on('disconnect', () => process.exit(0));
await loadPhysics();
tell({ kind: 'ready' });
