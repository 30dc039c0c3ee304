/**
 * Packets and messages between pages, over WebRTC: a WebRtcStation has this page's id at a broker, its lines to other
 * pages, and a Transport over them. Brokers are PeerJS's.
 */
export type { BrokerSettings } from './address.ts';
export type { CallEvents, Calls } from './calls.ts';
export type { PageConnection } from './station.ts';
export { WebRtcStation } from './station.ts';
export type {
  AddressState,
  LineEvents,
  LineState,
  MemberLine,
  MemberLines,
  OpenedLine,
  Station,
} from '../station.ts';
export type { Lines } from '../lines.ts';
export type { Line } from '../line.ts';
export type { LineTransport } from '../line-transport.ts';
export type { LineConnection, ConnectionEvents } from '../line-connection.ts';
export type { SearchMeans } from '../../core/room/guest/door-search.ts';
export type { Refusals } from '../guard/refusals.ts';
