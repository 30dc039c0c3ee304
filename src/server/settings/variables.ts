import { MAX_ROOM_PLAYERS, MAX_SERVER_ROOM_PLAYERS } from '../../core/base/constants.ts';

export const HTTP_PORT = 5173;
export const HTTPS_PORT = 5174;
/** The STUN port of RFC 5389. */
export const STUN_PORT = 3478;
/** Server rooms unless the environment says otherwise, and at most: one process has all of them. */
export const ROOMS = 8;
export const MOST_ROOMS = 64;
/** People who watch server rooms, in all; and at most: a server takes 5000 connections. */
export const WATCHERS = 1000;
export const MOST_WATCHERS = 4000;
/** Hours for which a room is kept while its server is away: a weekend; and a year at most. */
export const KEPT_HOURS = 72;
export const MOST_KEPT_HOURS = 8760;
export const PUBLIC_STUN = 'stun:stun.l.google.com:19302';

/** Every setting and its meaning, with its default in brackets. */
export const VARIABLES = [
  ['PORT', `port of HTTP, or off (${HTTP_PORT})`],
  ['HTTPS_PORT', `port of HTTPS, or off (${HTTPS_PORT}; with serve off, unless TLS_CERT is set)`],
  ['HOST', 'address to listen at (all of this machine)'],
  ['TLS_CERT', 'file of the certificate for HTTPS, PEM (the server makes its own)'],
  ['TLS_KEY', 'file of its private key, PEM'],
  ['TRUST_PROXY', 'addresses of your proxies, with commas between: their X-Forwarded headers count (off)'],
  [
    'LOG',
    'off, security (what was refused), or requests (also each request), as JSON (security; start: off)',
  ],
  ['METRICS_PORT', 'port of /metrics for Prometheus, or off (off)'],
  ['METRICS_HOST', 'its address (127.0.0.1)'],
  ['STUN_PORT', `UDP port of the server's own STUN, or off (${STUN_PORT})`],
  [
    'HANDOVER_STUN',
    `STUN services for the pages, with commas between, or off (off; with STUN_PORT=off ${PUBLIC_STUN})`,
  ],
  ['HANDOVER_TURN', 'TURN services for the pages, with commas between, or off (off)'],
  ['HANDOVER_TURN_USER', 'login at TURN'],
  ['HANDOVER_TURN_PASSWORD', 'and its password'],
  ['HANDOVER_TURN_SECRET', "or coturn's static-auth-secret: each page gets a login that expires"],
  ['HANDOVER_RELAY_ONLY', 'on: players connect through TURN alone (off)'],
  ['HANDOVER_ROOMS', `rooms that this server is host of, at most, or off (start: ${ROOMS}; serve: off)`],
  [
    'HANDOVER_ROOMS_PLAYERS',
    `people in one server room, at most (start: ${MAX_SERVER_ROOM_PLAYERS}; serve: ${MAX_ROOM_PLAYERS})`,
  ],
  ['HANDOVER_ROOMS_WATCHERS', `people who watch them, in all, at most, or off (${WATCHERS})`],
  ['HANDOVER_ROOMS_OF_NETWORK', 'rooms of these that one network has at a time (half of them)'],
  ['HANDOVER_ROOMS_HOST', 'their address (HOST; all of this machine if that is a loopback address)'],
  [
    'HANDOVER_ROOMS_PRIVATE',
    'on: they also send to addresses in private networks that players name (start: on; serve: off)',
  ],
  [
    'HANDOVER_JANUS',
    'WebSocket of a Janus that passes on the voices of rooms for more than eight, as ws://127.0.0.1:8188 (off)',
  ],
  ['HANDOVER_JANUS_SECRET', 'and the secret of its API'],
  ['HANDOVER_SNAPSHOTS', 'folder that keeps server rooms over faults and restarts, or off (off)'],
  [
    'HANDOVER_SNAPSHOTS_HOURS',
    `hours after which a room that was kept, and did not come back, is removed (${KEPT_HOURS})`,
  ],
  ['REDIS_URL', 'Redis by which several processes are one site, as redis://host:6379 (off)'],
  ['HANDOVER_PROCESS_URL', 'URL of this process for the others of its site (its port at its first address)'],
  ['HANDOVER_BROKER', 'URL of a PeerJS broker elsewhere, as https://host/path (our own, at /broker)'],
] as const;

export type Variable = (typeof VARIABLES)[number][0];

/** The text of `--help`. */
export const USAGE = `Usage: npm start, or npm run build and npm run serve. Settings are read from the environment:
${VARIABLES.map(([name, meaning]) => `  ${name.padEnd(25)} ${meaning}`).join('\n')}
A port of 0 is any free one. Where a default port is taken, start uses the next free one.`;
