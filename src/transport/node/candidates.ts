import { BlockList, isIP } from 'node:net';
import { networkInterfaces } from 'node:os';

/**
 * [N2.2] Addresses of the other end at most to which checks are sent. A page has some ten, and one that is refused its
 * last ones is found by its own checks.
 */
export const MOST_CANDIDATES = 10;

/** The networks besides the internet to which the candidates of strangers may lead. */
export type Reach = {
  /** Networks that are not part of the internet (RFC 1918, RFC 6598, RFC 4193). */
  readonly privateNetworks: boolean;
  /** Loopback addresses, and those that this machine has in any network. */
  readonly thisMachine: boolean;
};

/**
 * A candidate (RFC 8839) for UDP with one space between its parts, as browsers write it. The library splits at any white
 * space, so it would find another address in a line with tabs.
 */
const CANDIDATE =
  /^(?:a=)?candidate:[\w+/]{1,32} \d{1,3} udp \d{1,10} ([\da-f.:]{2,45}) (\d{1,5}) typ [\x20-\x7e]*$/i;
const ANY_CANDIDATE = /candidates?:/i;
const LINE_END = /\r\n|[\r\n]/;

const LOOPBACK = listOf(['127.0.0.0', 8], ['::1', 128]);
const PRIVATE = listOf(
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
  ['fc00::', 7],
);
/**
 * Addresses of no single machine that others may name: unspecified, link-local, multicast, reserved; and IPv6 addresses
 * with an IPv4 address in them (compatible, NAT64, Teredo, 6to4), which may be any of these.
 */
const NOWHERE = listOf(
  ['0.0.0.0', 8],
  ['169.254.0.0', 16],
  ['224.0.0.0', 3],
  ['::', 96],
  ['64:ff9b::', 32],
  ['2001::', 32],
  ['2002::', 16],
  ['fe80::', 9],
  ['ff00::', 8],
);
/** IPv4 addresses in the form of IPv6. A list by itself, because Node finds every IPv4 address in it. */
const MAPPED = listOf(['::ffff:0:0', 96]);

function listOf(...subnets: readonly (readonly [network: string, bits: number])[]): BlockList {
  const list = new BlockList();
  for (const [network, bits] of subnets) list.addSubnet(network, bits, isIP(network) === 4 ? 'ipv4' : 'ipv6');
  return list;
}

/**
 * The addresses that this machine has now, in all its networks. What it sends to one of them never leaves it, so no
 * firewall sees that: a stranger would reach services that are closed to all others.
 */
export function addressesHere(): BlockList {
  const list = new BlockList();
  for (const { address, family } of Object.values(networkInterfaces()).flatMap((each) => each ?? []))
    list.addAddress(address, family === 'IPv4' ? 'ipv4' : 'ipv6');
  return list;
}

/**
 * True for a candidate to which checks may be sent. It has an address in numbers: the library would look a name up, one
 * thread for each, and a stranger could send hundreds. And that address is not in a network to which strangers have no
 * access but by this process. A browser whose candidates are refused is found by its own checks.
 * @param here the addresses of this machine.
 */
export function isReachable(
  candidate: string,
  { privateNetworks, thisMachine }: Reach,
  here: BlockList,
): boolean {
  const address = CANDIDATE.exec(candidate)?.[1] ?? '';
  const version = isIP(address);
  if (version === 0) return false;
  const family = version === 4 ? 'ipv4' : 'ipv6';
  if (version === 6 && MAPPED.check(address, family)) return false;
  if (LOOPBACK.check(address, family)) return thisMachine;
  if (NOWHERE.check(address, family)) return false;
  if (here.check(address, family)) return thisMachine;
  return privateNetworks || !PRIVATE.check(address, family);
}

/** The candidates of a connection's other end, in its description and beside it. */
export class Candidates {
  readonly #reach: Reach;
  readonly #here: BlockList;
  /** The addresses and ports of those that were taken. */
  readonly #taken = new Set<string>();

  /** @param here the addresses of this machine. */
  constructor(reach: Reach, here: BlockList) {
    this.#reach = reach;
    this.#here = here;
  }

  /** @returns true for a candidate that is reachable and new, unless there were too many before it. */
  takes(candidate: string): boolean {
    if (this.#taken.size >= MOST_CANDIDATES || !isReachable(candidate, this.#reach, this.#here)) return false;
    const [, address, port] = CANDIDATE.exec(candidate) ?? [];
    const before = this.#taken.size;
    return this.#taken.add(`${address} ${port}`).size > before;
  }

  /** @returns a session description with only those of its candidates that are taken. */
  inDescription(sdp: string): string {
    return sdp
      .split(LINE_END)
      .filter((line) => !ANY_CANDIDATE.test(line) || this.takes(line))
      .join('\r\n');
  }
}

/** True for a loopback address in numbers. */
export function isLoopback(address: string): boolean {
  const version = isIP(address);
  return version !== 0 && LOOPBACK.check(address, version === 4 ? 'ipv4' : 'ipv6');
}
