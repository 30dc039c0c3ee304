import type { NetworkInterfaceInfo } from 'node:os';
import { hostname, networkInterfaces } from 'node:os';

export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Network interfaces of containers, virtual machines and tunnels; usually only this machine can use them. */
const PRIVATE = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|bridge|utun|tun|tap|wg|zt|tailscale)/;

/** Returns the addresses at which other machines may reach this one, the most likely first. */
export function networkAddresses(interfaces: Interfaces = networkInterfaces()): string[] {
  const found = Object.entries(interfaces).flatMap(([name, infos]) =>
    (infos ?? [])
      .filter(({ internal, address }) => !internal && !/^(?:fe80:|169\.254\.)/i.test(address))
      .map(({ family, address }) => ({
        address,
        rank: (PRIVATE.test(name) ? 2 : 0) + (family === 'IPv4' ? 0 : 1),
      })),
  );
  return found.sort((a, b) => a.rank - b.rank).map(({ address }) => address);
}

/** Returns this machine's names: `localhost`, and its names on its network. */
export function machineNames(): string[] {
  const name = hostname()
    .toLowerCase()
    .replace(/\.local$/, '');
  const isName = /^[a-z\d-]+(?:\.[a-z\d-]+)*$/.test(name);
  return ['localhost', ...(isName && name !== 'localhost' ? [name, `${name}.local`] : [])];
}

/** Returns `http://host:port/`; an IPv6 host gets its brackets. */
export function urlOf(protocol: 'http' | 'https' | 'ws' | 'wss', host: string, port: number): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}

/** Returns true if a host, also one from a URL, is a loopback name or address. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\]|::1)$/i.test(host);
}

/**
 * Returns the address at which other machines reach a server.
 * @param own its address on this machine. @param host the address at which it listens; undefined for all.
 */
export function addressForOthers(own: string, host: string | undefined): string {
  const url = new URL(own.replace(/^ws/, 'http'));
  const [first] = networkAddresses();
  if (isEverywhere(host) && first !== undefined) url.hostname = first.includes(':') ? `[${first}]` : first;
  return url.href;
}

/** Returns true if a server at this host listens at all addresses of this machine. */
export function isEverywhere(host: string | undefined): boolean {
  return host === undefined || host === '0.0.0.0' || host === '::';
}

/**
 * Returns the address at which STUN listens. A proxy before a server at a loopback address passes no STUN on: players ask
 * this machine itself, at any of its addresses.
 * @param own the address at which the server listens.
 */
export function stunAddress(
  own: string,
  hasProxy: boolean,
  interfaces: Interfaces = networkInterfaces(),
): string {
  if (!isLoopback(own) || !hasProxy) return own;
  const families = Object.values(interfaces).flatMap((infos) => (infos ?? []).map(({ family }) => family));
  return families.includes('IPv6') ? '::' : '0.0.0.0';
}
