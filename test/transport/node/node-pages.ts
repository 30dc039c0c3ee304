import { expect, onTestFinished } from 'vitest';
import type { LineId } from '../../../src/core/room/line.ts';
import type { AnyNodeConnection } from '../../../src/transport/node/node-station.ts';
import { NodeStation } from '../../../src/transport/node/node-station.ts';
import type { Line } from '../../../src/transport/line.ts';
import type { LineEvents, OpenedLine } from '../../../src/transport/station.ts';
import { startBroker } from '../../server/broker/broker-client.ts';

/** Milliseconds that a line may take to open on one machine, and any event to arrive. */
const MEETING_MS = 15_000;

export async function until(isSo: () => boolean, what: string): Promise<void> {
  await expect.poll(isSo, { interval: 5, timeout: MEETING_MS, message: what }).toBe(true);
}

/** A station in this process, and the events on its lines. */
export class NodePage implements LineEvents {
  readonly station: NodeStation;
  readonly ends = new Map<LineId, OpenedLine>();
  readonly texts: string[] = [];
  readonly gone: LineId[] = [];

  constructor(url: string) {
    this.station = new NodeStation({ broker: { url }, address: '127.0.0.1' });
    onTestFinished(() => this.station.close());
  }

  opened(line: LineId, end: OpenedLine): void {
    this.ends.set(line, end);
  }
  message(_: LineId, text: string): void {
    this.texts.push(text);
  }
  closed(line: LineId): void {
    this.gone.push(line);
  }

  poll(): this {
    this.station.lines.poll(this);
    return this;
  }

  /** Its first line that has opened. */
  get line(): Line<AnyNodeConnection> {
    const [id] = this.ends.keys();
    const line = this.station.lines.get(id);
    if (line === null) throw new Error('no line has opened');
    return line;
  }
}

/** Two pages with our own broker, whose ids are open. */
export async function twoPages(): Promise<readonly [NodePage, NodePage]> {
  const { url: site } = await startBroker();
  const url = `${site.replace('http', 'ws')}broker`;
  const pages = [new NodePage(url), new NodePage(url)] as const;
  await until(() => pages.every(({ station }) => station.state === 'open'), 'the ids are open');
  return pages;
}

/** Dials until both ends of a line are open. A call within one machine may fail; see NodeConnection. */
export async function meet(caller: NodePage, callee: NodePage, dial: () => LineId | null): Promise<void> {
  let calls = 0;
  await until(() => {
    const isWanted = caller.poll().gone.length === calls && caller.ends.size === 0;
    if (isWanted && dial() !== null) calls++;
    return callee.poll().ends.size * caller.ends.size === 1;
  }, 'both ends are open');
}

/** Two pages with an open line between them; the first one has called. */
export async function twoMet(): Promise<readonly [NodePage, NodePage]> {
  const [caller, callee] = await twoPages();
  await meet(caller, callee, () => caller.station.dial(callee.station.id));
  return [caller, callee];
}
