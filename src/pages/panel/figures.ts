/** The numbers that the panel shows, about ten times per second. Unknown numbers are NaN. */
export type PanelFigures = {
  readonly traffic: { readonly hostToGuest: TrafficFigures; readonly guestToHost: TrafficFigures };
  readonly error: PositionError;
  /** Milliseconds from sending a packet to receiving its ack. */
  readonly roundTrip: number;
  /** Milliseconds that received states wait on each peer before they are shown. */
  readonly playoutDelay: { readonly host: number; readonly guest: number };
  /** Number of bodies under each slot, and under no slot, as the host has it. */
  readonly authority: { readonly slots: readonly number[]; readonly none: number };
  /** Physics steps per second. */
  readonly tickRate: number;
  /** Packets and claims that either peer has rejected since the start, by reason. */
  readonly rejected: readonly { readonly reason: string; readonly count: number }[];
};

/** The packets of one direction in kbit/s, by content. */
export type TrafficFigures = { readonly bodies: number; readonly avatars: number; readonly headers: number };

/** Metres between the places where the two peers show a body: median, 95th percentile and largest. */
export type PositionError = { readonly p50: number; readonly p95: number; readonly max: number };

/** One cube as one peer sees it. */
export type PeerRecord = {
  readonly peer: string;
  readonly lines: readonly RecordLine[];
  /** Newest first. */
  readonly decisions: readonly RecordDecision[];
};
export type RecordLine = readonly [label: string, value: string];
/** Why a body changed hands or did not: the tick, the rule ("A5", or "" without a rule), and a sentence. */
export type RecordDecision = { readonly tick: number; readonly rule: string; readonly sentence: string };

const NOTHING = '–';

/** Returns the sum of all contents, in kbit/s. */
export function totalOf(traffic: TrafficFigures): number {
  return traffic.bodies + traffic.avatars + traffic.headers;
}

/** Returns, for example, "8.3 kbit/s", "84 kbit/s" or "1.25 Mbit/s"; a dash if unknown. */
export function formatBitrate(kilobits: number): string {
  if (!Number.isFinite(kilobits)) return NOTHING;
  if (kilobits >= 999.5) return `${(kilobits / 1000).toFixed(2)} Mbit/s`;
  return `${kilobits.toFixed(kilobits < 9.95 ? 1 : 0)} kbit/s`;
}

/** Returns, for example, "0.4 mm", "12 mm", "4.2 cm" or "1.30 m"; a dash if unknown. */
export function formatDistance(metres: number): string {
  if (!Number.isFinite(metres)) return NOTHING;
  const millimetres = metres * 1000;
  if (millimetres < 9.95) return `${millimetres.toFixed(1)} mm`;
  if (millimetres < 19.5) return `${millimetres.toFixed(0)} mm`;
  if (metres < 0.995) return `${(metres * 100).toFixed(metres < 0.0995 ? 1 : 0)} cm`;
  return `${metres.toFixed(2)} m`;
}

/** Returns, for example, "24 ms"; a dash if unknown. */
export function formatMilliseconds(milliseconds: number): string {
  return Number.isFinite(milliseconds) ? `${milliseconds.toFixed(0)} ms` : NOTHING;
}

/** Returns, for example, "60.0 /s"; a dash if unknown. */
export function formatRate(perSecond: number): string {
  return Number.isFinite(perSecond) ? `${perSecond.toFixed(1)} /s` : NOTHING;
}

/** Returns how often something was rejected, or "none"; and the reasons, for example "8 too late, 4 twice", or "". */
export function formatRejected(rejected: PanelFigures['rejected']): { total: string; reasons: string } {
  const counted = rejected.filter(({ count }) => count > 0).sort((a, b) => b.count - a.count);
  const total = counted.reduce((sum, { count }) => sum + count, 0);
  return {
    total: total === 0 ? 'none' : String(total),
    reasons: counted.map(({ reason, count }) => `${count} ${reason}`).join(', '),
  };
}
