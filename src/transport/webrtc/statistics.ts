import type { SocketTraffic } from '../socket/socket-connection.ts';

/** The traffic of a connection since it began: as the browser counts it at the socket, or [N2.3] as the line counts it. */
export type SocketStatistics = {
  /** Bytes of UDP payload: DTLS and SCTP with their headers; of a WebSocket the payload alone. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly packetsSent: number;
  readonly packetsReceived: number;
  /** The path of the packets: `direct`, `relay` by a TURN server, or `websocket`. */
  readonly path: 'direct' | 'relay' | 'websocket' | 'unknown';
};

/** A connection whose traffic can be read. */
export type CountedConnection = RTCPeerConnection | { readonly traffic: Readonly<SocketTraffic> };

/** Reads the statistics of a connection; the browser's change about once a second, and are 0 where it does not count. */
export async function socketStatistics(connection: CountedConnection): Promise<SocketStatistics> {
  if ('traffic' in connection) return { ...connection.traffic, path: 'websocket' };
  const report = await connection.getStats();
  const reports = new Map<string, Fields>();
  report.forEach((entry: Fields) => reports.set(String(entry.id), entry));
  const transport = [...reports.values()].find(({ type }) => type === 'transport');
  const pair = reports.get(String(transport?.selectedCandidatePairId));
  const local = reports.get(String(pair?.localCandidateId));
  const remote = reports.get(String(pair?.remoteCandidateId));
  const counted = transport ?? pair;
  return {
    bytesSent: numberOf(counted?.bytesSent),
    bytesReceived: numberOf(counted?.bytesReceived),
    packetsSent: numberOf(counted?.packetsSent),
    packetsReceived: numberOf(counted?.packetsReceived),
    path: pair === undefined ? 'unknown' : isRelay(local) || isRelay(remote) ? 'relay' : 'direct',
  };
}

type Fields = Readonly<Record<string, unknown>>;

function isRelay(candidate: Fields | undefined): boolean {
  return candidate?.candidateType === 'relay';
}

/** @returns 0 where the browser does not count. */
function numberOf(value: unknown): number {
  return typeof value === 'number' ? value : 0;
}
