/**
 * For tests of a game: rooms of scripted players in one process, over a network that delays and loses, without a clock
 * and by a seed; and a referee that judges them.
 */
export type { Loopback, LoopbackOptions } from '../transport/loopback.ts';
export { createLoopback } from '../transport/loopback.ts';
export type { Burst, LinkConditions, LinkStats } from '../netsim/network-simulator.ts';
export { linkConditions, NetworkSimulator } from '../netsim/network-simulator.ts';
export type { Bot, BotSeat, BotSight } from '../bots/bot.ts';
export { aim, BotBody, pickSlowBody, positionOf, speedOf } from '../bots/bot.ts';
export type { BotName } from '../bots/bots.ts';
export { BOT_NAMES, createBot } from '../bots/bots.ts';
export type { BotChoice, HarnessOptions } from './room.ts';
export { RoomHarness } from './room.ts';
export type { SpawnLimits } from './spawn-level.ts';
export type { Violation } from './referee/violation.ts';
export { Referee } from './referee/referee.ts';
export type { SharedViolation } from './referee/shared-referee.ts';
export { SharedReferee } from './referee/shared-referee.ts';
