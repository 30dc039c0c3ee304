/**
 * Packets and messages between pages, over WebRTC: a Station has this page's id at a broker, its lines to other pages,
 * and a Transport over them. Brokers are PeerJS's.
 */
export type { AddressState, BrokerSettings } from './address.ts';
export type { CallEvents, Calls } from './calls.ts';
export type { Refusals } from '../guard/refusals.ts';
export type { LineState } from './line.ts';
export { Line } from './line.ts';
export type { LineEvents, OpenedLine } from './lines.ts';
export { Lines } from './lines.ts';
export { Station } from './station.ts';
export { WebRtcTransport } from './transport.ts';
