import type { Slot } from '../../../core/base/ids.ts';
import type { Session } from '../../../session/session.ts';
import type { Refusals } from '../../../transport/guard/refusals.ts';
import type { AddressState } from '../../../transport/station.ts';
import type { SocketTraffic } from '../../../transport/socket/socket-connection.ts';
import type { Calls } from '../../../transport/webrtc/calls.ts';
import type { ServerCalls } from '../../../transport/webrtc/server-calls.ts';

/** The reason of an abort signal when the page may be back in a moment, as in a reload. */
export const RETURNING = 'returning';

/** The network of a session, as the page reads it: the room's WebRtcStation, or nothing. */
export type SessionNetwork = {
  readonly state: AddressState;
  readonly refusals: Pick<Refusals, 'read'>;
  readonly calls: Pick<Calls, 'update' | 'poll' | 'connections'>;
  /** Null if the site has no voice server. */
  readonly serverCalls: Pick<ServerCalls, 'isSpeaking' | 'update' | 'poll' | 'connections'> | null;
  readonly transport: {
    lineTo(slot: Slot): { readonly connection: SessionConnection } | null;
  };
};

/** The connection to another player, for its statistics. */
export type SessionConnection =
  | { readonly peerConnection: RTCPeerConnection }
  | { readonly traffic: Readonly<SocketTraffic> };

/** This page's part in a room, and its network. */
export type GameSession = Session & { readonly station: SessionNetwork };
