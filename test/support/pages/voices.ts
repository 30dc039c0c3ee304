import type { RoomPlayerPage } from './room-page.ts';

/** Milliseconds of listening in which there is a beep, whatever else this machine does. */
export const LISTENING_MS = 700;
/** Times that one listens before one gives up: voices begin late on a slow machine. */
const PATIENCE = 120;
/** A level, 0 to 1, that is a voice; and one that is none. */
export const VOICE = 0.1;
export const SILENCE = 0.02;
/** The peak of a voice at the speakers, and one that nobody hears. */
export const LOUD = 0.01;
export const QUIET = 1e-4;
/** kbit/s of a track that carries a voice, at the least. One of silence may cost as much: an encoder is free to. */
const SPOKEN = 8;
/** The measurements of the listening time: the highest of each; lists are by slot. */
export type Heard = {
  /** The levels of the voices as they arrive. */
  readonly levels: readonly number[];
  /** The levels of the avatars' mouths. */
  readonly avatars: readonly number[];
  /** At the speakers. */
  readonly left: number;
  readonly right: number;
  /** kbit/s of each track that comes in, by the browser's statistics, the least first. */
  readonly tracks: readonly number[];
};

declare global {
  interface Window {
    /** The page's connections, since `keepConnections`. */
    connections?: RTCPeerConnection[];
  }
}

/** Runs in a page before all else: keeps hold of its connections. */
export function keepConnections(): void {
  const connections: RTCPeerConnection[] = [];
  window.connections = connections;
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration);
      connections.push(this);
    }
  };
}

/** Runs in a page: listens for so many milliseconds. */
export async function measure(ms: number): Promise<Heard> {
  const { handover, connections } = window;
  if (handover?.room === undefined || connections === undefined) throw new Error('the page is in no room');
  const received = async (): Promise<Map<string, number>> => {
    const bytes = new Map<string, number>();
    for (const [i, connection] of connections.entries()) {
      if (connection.connectionState !== 'connected') continue;
      const report = await connection.getStats();
      report.forEach(({ type, kind, bytesReceived }: Record<string, string | number>) => {
        if (type === 'inbound-rtp' && kind === 'audio') bytes.set(String(i), Number(bytesReceived));
      });
    }
    return bytes;
  };
  const raise = (highest: number[], at: number, value: number): void => {
    highest[at] = Math.max(highest[at] ?? 0, value);
  };
  const samples = new Float32Array(4096);
  const [levels, avatars, peaks]: number[][] = [[], [], [0, 0]];
  const before = await received();
  const began = performance.now();
  while (performance.now() - began < ms) {
    const { players, you } = handover.room();
    for (const { slot, level } of players) {
      raise(levels, slot, level);
      raise(avatars, slot, handover.avatar(you, slot)?.voice ?? 0);
    }
    for (const [side, ear] of (window.ears ?? []).entries()) {
      ear.getFloatTimeDomainData(samples);
      for (const sample of samples) raise(peaks, side, Math.abs(sample));
    }
    await new Promise((resolve) => void setTimeout(resolve, 20));
  }
  const after = await received();
  const kilobits = 0.008 / ((performance.now() - began) / 1000);
  const tracks = [...after].map(([id, bytes]) => (bytes - (before.get(id) ?? bytes)) * kilobits);
  return { levels, avatars, left: peaks[0], right: peaks[1], tracks: tracks.sort((a, b) => a - b) };
}

/** Has players listen until they hear what they should; what they hear stands in the error otherwise. */
export async function heard(
  what: string,
  players: readonly RoomPlayerPage[],
  isSo: (heard: Heard) => boolean,
): Promise<readonly Heard[]> {
  for (let tries = 1; ; tries++) {
    const all = await Promise.all(players.map(({ page }) => page.evaluate(measure, LISTENING_MS)));
    if (all.every(isSo)) return all;
    if (tries === PATIENCE) throw new Error(`${what}: ${JSON.stringify(all)}`);
  }
}

export const spoken = ({ tracks }: Heard): number => tracks.filter((rate) => rate > SPOKEN).length;
export const loudness = ({ left, right }: Heard): number => Math.max(left, right);
