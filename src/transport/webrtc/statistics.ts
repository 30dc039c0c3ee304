/** The traffic of a WebRTC connection since it began, as the browser counts it at the socket. */
export type SocketStatistics = {
  /** Bytes of UDP payload: DTLS and SCTP with their headers. */
  readonly bytesSent: number;
  readonly bytesReceived: number;
  readonly packetsSent: number;
  readonly packetsReceived: number;
  /** The path of the packets: `direct`, or `relay` by a TURN server. */
  readonly path: 'direct' | 'relay' | 'unknown';
};

/** Reads the browser's statistics of a connection, which change about once a second; 0 where it does not count. */
export async function socketStatistics(connection: RTCPeerConnection): Promise<SocketStatistics> {
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
