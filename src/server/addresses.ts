import type { NetworkInterfaceInfo } from 'node:os';
import { hostname, networkInterfaces } from 'node:os';

export type Interfaces = Readonly<Record<string, readonly NetworkInterfaceInfo[] | undefined>>;

/** Networks that only this machine is in: of containers, virtual machines and tunnels. */
const PRIVATE = /^(?:docker|br-|veth|virbr|vmnet|vboxnet|bridge|utun|tun|tap|wg|zt|tailscale)/;

/** The addresses by which others may reach this machine, the most likely first. */
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

/** The names of this machine, on itself and on its network. */
export function machineNames(): string[] {
  const name = hostname()
    .toLowerCase()
    .replace(/\.local$/, '');
  const isName = /^[a-z\d-]+(?:\.[a-z\d-]+)*$/.test(name);
  return ['localhost', ...(isName && name !== 'localhost' ? [name, `${name}.local`] : [])];
}

/** `http://host:port/`, with the brackets that IPv6 needs. */
export function urlOf(protocol: 'http' | 'https', host: string, port: number): string {
  return `${protocol}://${host.includes(':') ? `[${host}]` : host}:${port}/`;
}

/** Whether a host, as in a URL, is the very machine that asks. */
export function isLoopback(host: string): boolean {
  return /^(?:localhost|127\.[\d.]+|\[::1\])$/i.test(host);
}

/** Whether listening here is listening at all addresses of this machine. */
export function isEverywhere(host: string | undefined): boolean {
  return host === undefined || host === '0.0.0.0' || host === '::';
}
