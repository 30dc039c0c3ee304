import type { Read } from './reading.ts';
import { readPair, readSwitch, SetupError } from './reading.ts';
import type { Variable } from './variables.ts';

/** The STUN and TURN services for the pages. */
export type IceSettings = {
  readonly stun: readonly string[];
  readonly turn: TurnSettings | null;
  /** Whether players connect only through TURN, so that they never see each other's addresses. */
  readonly relayOnly: boolean;
};

export type TurnSettings = {
  readonly urls: readonly string[];
  /** One login for all players, or the secret for logins that expire. */
  readonly login:
    | { readonly kind: 'fixed'; readonly username: string; readonly password: string }
    | { readonly kind: 'secret'; readonly secret: string };
};

/** A PeerJS broker elsewhere. */
export type OutsideBroker = {
  readonly host: string;
  readonly port: number;
  readonly path: string;
  readonly secure: boolean;
  readonly key?: string;
};

/** @param stunElse the STUN services if none are set: a service of others is asked only where our own does not answer. */
export function readIce(read: Read, stunElse: string): IceSettings {
  const turn = readTurn(read);
  const relayOnly = readSwitch('HANDOVER_RELAY_ONLY', read('HANDOVER_RELAY_ONLY'));
  if (relayOnly && turn === null) {
    throw new SetupError('HANDOVER_RELAY_ONLY is on, but there is no HANDOVER_TURN to relay.');
  }
  return {
    stun: readServices('HANDOVER_STUN', read('HANDOVER_STUN') || stunElse, STUN_URL, 'stun:host:3478'),
    turn,
    relayOnly,
  };
}

function readTurn(read: Read): TurnSettings | null {
  const urls = readServices('HANDOVER_TURN', read('HANDOVER_TURN') || 'off', TURN_URL, 'turn:host:3478');
  const login = readPair(read, 'HANDOVER_TURN_USER', 'HANDOVER_TURN_PASSWORD');
  const secret = read('HANDOVER_TURN_SECRET');
  const logins = Number(login !== null) + Number(secret !== '');
  if (urls.length === 0) {
    if (logins === 0) return null;
    throw new SetupError('There is a login for TURN, but no HANDOVER_TURN.');
  }
  if (logins !== 1) {
    throw new SetupError(
      'HANDOVER_TURN needs a login: HANDOVER_TURN_USER and HANDOVER_TURN_PASSWORD, or HANDOVER_TURN_SECRET.',
    );
  }
  return login === null
    ? { urls, login: { kind: 'secret', secret } }
    : { urls, login: { kind: 'fixed', username: login[0], password: login[1] } };
}

// A browser refuses the whole connection if it can't read one address, so these patterns are strict.
const HOST_AND_PORT = String.raw`(?:[\w-]+(?:\.[\w-]+)*|\[[\da-f:.]+\])(?::\d{1,5})?`;
const STUN_URL = new RegExp(`^stuns?:${HOST_AND_PORT}$`, 'i');
const TURN_URL = new RegExp(String.raw`^turns?:${HOST_AND_PORT}(?:\?transport=(?:udp|tcp))?$`, 'i');

function readServices(name: Variable, text: string, form: RegExp, example: string): readonly string[] {
  if (text === 'off') return [];
  const urls = text.split(',').map((url) => url.trim());
  const wrong = urls.find((url) => !form.test(url));
  if (wrong === undefined) return urls;
  throw new SetupError(
    `${name} lists addresses like ${example}, or is off; "${wrong}" is not such an address.`,
  );
}

export function readBroker(text: string): OutsideBroker | null {
  if (text === '') return null;
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url === null || !/^(?:http|ws)s?:$/.test(url.protocol)) {
    throw new SetupError(`HANDOVER_BROKER is an address like https://host/path, not "${text}".`);
  }
  const secure = /s:$/.test(url.protocol);
  const key = url.searchParams.get('key');
  return {
    host: url.hostname,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname,
    secure,
    ...(key === null ? {} : { key }),
  };
}
