import { iceKindOf } from '../../transport/ice-url.ts';
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
    stun: readServices('HANDOVER_STUN', read('HANDOVER_STUN') || stunElse, 'stun'),
    turn,
    relayOnly,
  };
}

function readTurn(read: Read): TurnSettings | null {
  const urls = readServices('HANDOVER_TURN', read('HANDOVER_TURN') || 'off', 'turn');
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

function readServices(name: Variable, text: string, kind: 'stun' | 'turn'): readonly string[] {
  if (text === 'off') return [];
  const urls = text.split(',').map((url) => url.trim());
  const wrong = urls.find((url) => iceKindOf(url) !== kind);
  if (wrong === undefined) return urls;
  throw new SetupError(
    `${name} lists addresses like ${kind}:host:3478, or is off; "${wrong}" is not such an address.`,
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
  // Pages refuse such a broker, and would ask this server.
  if (key !== null && encodeURIComponent(key) !== key)
    throw new SetupError(`The key in HANDOVER_BROKER has letters, digits and dashes, not "${key}".`);
  return {
    host: url.hostname,
    port: url.port === '' ? (secure ? 443 : 80) : Number(url.port),
    path: url.pathname,
    secure,
    ...(key === null ? {} : { key }),
  };
}
