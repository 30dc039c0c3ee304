import { createBot } from '../../../src/bots/bots.ts';
import { Random } from '../../../src/core/base/random.ts';
import type { RoomCode } from '../../../src/core/room/code.ts';
import { loadPhysics } from '../../../src/physics/rapier-simulation.ts';
import type { NodeStationSettings } from '../../../src/transport/node/node-station.ts';
import { letGo, NodePlayer } from '../node-player.ts';
import { ResetRhythm } from '../reset-rhythm.ts';
import { restOf } from '../rest.ts';
import type { Counted, CrowdAnswer, CrowdOrder, Place } from './crowd-messages.ts';

/** The process of many players. It does as its parent asks, and ends with it. */

/** Milliseconds between two looks whether a player is in. */
const LOOK_MS = 20;
/** Milliseconds after which a player that is not in has failed. */
const GIVE_UP_MS = 60_000;

/** A player, and how it plays; null while its hands are down. */
type Member = {
  readonly code: RoomCode;
  readonly player: NodePlayer;
  play: ((player: NodePlayer) => void) | null;
  /** Ticks since it came, and the last count. */
  ticks: number;
  before: Counted;
};

const members: Member[] = [];
let countedAt = performance.now();

async function come(network: NodeStationSettings, { code, colour }: Place): Promise<void> {
  let member: Member | null = null;
  const player = await NodePlayer.enter(network, code, colour, (acting) => {
    if (member === null) return;
    member.ticks++;
    member.play?.(acting);
  });
  member = { code, player, play: null, ticks: 0, before: { down: 0, up: 0, ticks: 0 } };
  members.push(member);
  const began = performance.now();
  while (!player.isIn) {
    if (performance.now() - began > GIVE_UP_MS)
      throw new Error(`Player ${colour} did not come into ${code}.`);
    await new Promise((resolve) => void setTimeout(resolve, LOOK_MS));
  }
}

function startPlay(
  member: Member,
  { seed, players, resetSeconds }: Extract<CrowdOrder, { kind: 'play' }>,
): void {
  const { slot } = member.player.session;
  if (slot === null) throw new Error('A player that is in no room can not play.');
  // Each player has its own chance; the factor keeps those of neighbouring seeds apart.
  const bot = createBot('chaos', { slot, players, random: new Random(seed * 100 + slot) });
  const rhythm = new ResetRhythm(resetSeconds);
  member.play = (player) => {
    const { input, session } = player;
    rhythm.tick(player);
    const peer = session.world?.peer;
    if (peer !== undefined) bot.act(member.ticks, peer.diagnostics.bodies, input);
  };
}

function countedOf({ player: { session }, ticks }: Member): Counted {
  const { peer } = session.world ?? {};
  const links = peer?.diagnostics.linkedSlots().map((slot) => peer.traffic(slot)) ?? [];
  const down = links.reduce((sum, { bytesReceived }) => sum + bytesReceived, 0);
  const up = links.reduce((sum, { bytesSent }) => sum + bytesSent, 0);
  return { down, up, ticks };
}

function count(): CrowdAnswer {
  const now = performance.now();
  const seconds = (now - countedAt) / 1000;
  countedAt = now;
  const players = members.map((member) => {
    const { before } = member;
    const after = (member.before = countedOf(member));
    return { down: after.down - before.down, up: after.up - before.up, ticks: after.ticks - before.ticks };
  });
  return { kind: 'counted', seconds, players, lost: members.filter(({ player }) => !player.isIn).length };
}

async function obey(order: CrowdOrder): Promise<CrowdAnswer> {
  switch (order.kind) {
    case 'come':
      for (const place of order.places) await come(order.network, place);
      return { kind: 'there' };
    case 'play':
      for (const member of members) startPlay(member, order);
      return { kind: 'playing' };
    case 'count':
      return count();
    case 'rest':
      for (const member of members) {
        member.play = null;
        letGo(member.player.input);
      }
      return { kind: 'rests', bodies: members.map(({ code, player }) => ({ code, bodies: restOf(player) })) };
  }
}

function tell(answer: CrowdAnswer): void {
  process.send?.(answer);
}

process.on('message', (order: CrowdOrder) => void obey(order).then(tell));
process.on('disconnect', () => process.exit(0));
await loadPhysics();
tell({ kind: 'ready' });
