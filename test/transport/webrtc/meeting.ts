import { expect, inject, onTestFinished } from 'vitest';
import type { LineId } from '../../../src/core/room/line.ts';
import { OfferBudget } from '../../../src/transport/guard/offer-budget.ts';
import { Refusals } from '../../../src/transport/guard/refusals.ts';
import type {
  AddressGuards,
  AddressHandlers,
  BrokerSettings,
} from '../../../src/transport/webrtc/address.ts';
import type { LineState } from '../../../src/transport/station.ts';
import { randomId } from '../../../src/transport/station.ts';
import { Line } from '../../../src/transport/line.ts';
import { Address } from '../../../src/transport/webrtc/address.ts';
import { PeerJsConnection } from '../../../src/transport/webrtc/peerjs-connection.ts';
import { Unfreed } from '../../../src/transport/webrtc/unfreed.ts';

/** Milliseconds that a line may take to open on one machine, and any event to arrive. */
const MEETING_MS = 10_000;

const NOBODY: AddressHandlers = {
  onLine: (connection) => connection.close(),
  onCall: null,
};

/** Guards that accept more offers than any test makes, unless it makes a flood. */
export function guards(budget = new OfferBudget(100, 100)): AddressGuards {
  return { budget, refusals: new Refusals(), unfreed: new Unfreed() };
}

export function brokerAt(port: number): BrokerSettings {
  return { host: '127.0.0.1', port, path: '/broker', secure: false, rtc: { iceServers: [] } };
}

/** Waits until it is so, checked often enough to measure times. */
export async function until(isSo: () => boolean, what: string): Promise<void> {
  await expect.poll(isSo, { interval: 5, timeout: MEETING_MS, message: what }).toBe(true);
}

export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds);
  });
}

/** An address that is given up when the test ends. */
export function anAddress(
  options: Partial<{ id: string; port: number; visitors: AddressHandlers; guarded: AddressGuards }> = {},
): Address {
  const { id = randomId(), port = inject('shared').ports.steady, visitors = NOBODY } = options;
  const address = new Address(id, brokerAt(port), visitors, options.guarded ?? guards());
  onTestFinished(() => address.close());
  return address;
}

/** Opens an address, and waits until it is open. */
export async function openAddress(options: Parameters<typeof anAddress>[0] = {}): Promise<Address> {
  const address = anAddress(options);
  await until(() => address.state === 'open', 'the address is open');
  return address;
}

/** A line of a page. */
export type PageLine = Line<PeerJsConnection>;

/** Both ends of an open line between two addresses of this page. */
export type Ends = { readonly near: PageLine; readonly far: PageLine };

/** @param refusals counts what the far end refuses. */
export async function openLine(
  port = inject('shared').ports.steady,
  refusals = new Refusals(),
): Promise<Ends> {
  const answered: PageLine[] = [];
  const answer: AddressHandlers = {
    ...NOBODY,
    onLine: (connection) => answered.push(new Line(1 as LineId, new PeerJsConnection(connection), refusals)),
  };
  const [from, to] = await Promise.all([openAddress({ port }), openAddress({ port, visitors: answer })]);
  const connection = from.connect(to.id);
  if (connection === null) throw new Error('The address is open, but does not connect.');
  const near = new Line(0 as LineId, new PeerJsConnection(connection));
  await until(() => near.state === 'open' && answered.at(0)?.state === 'open', 'both ends are open');
  return { near, far: answered[0] };
}

export async function untilState(line: PageLine, state: LineState): Promise<void> {
  await until(() => line.state === state, `the line is ${state}`);
}

export function messagesOf(line: PageLine): string[] {
  const texts: string[] = [];
  line.receiveMessages((text) => texts.push(text));
  return texts;
}

export function packetsOf(line: PageLine): Uint8Array[] {
  const packets: Uint8Array[] = [];
  line.receivePackets((bytes) => packets.push(bytes));
  return packets;
}
