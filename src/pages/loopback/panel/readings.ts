import type { Slot } from '../../../core/base/ids.ts';
import type { GraphOptions } from '../../../view/graph/graph.ts';
import { Graph } from '../../../view/graph/graph.ts';
import { slotLook, WHITE } from '../../../view/slots.ts';
import { slotBadge } from '../../panel/slot-badge.ts';
import { el, setText } from '../../panel/dom.ts';
import type { PanelFigures, TrafficFigures } from '../../panel/figures.ts';
import {
  formatBitrate,
  formatDistance,
  formatMilliseconds,
  formatRate,
  formatRejected,
  totalOf,
} from '../../panel/figures.ts';

/** Seconds that a graph shows. */
const GRAPH_SECONDS = 20;
const TRAFFIC_SERIES = [
  { name: 'bodies', colour: '#2a6f97' },
  { name: 'avatars', colour: '#b7791f' },
  { name: 'headers', colour: '#7d8894' },
];
const ERROR_SERIES = [
  { name: 'median', colour: '#7d8894' },
  { name: 'p95', colour: '#2a6f97' },
  { name: 'max', colour: '#b4532a' },
];
/** Slots of the two peers of the loopback page. */
const HOST = 0 as Slot;
const GUEST = 1 as Slot;

/** A part of the panel that shows figures. */
export type Reading = {
  readonly element: HTMLElement;
  /** Stores the figures; if `visible`, also shows them. */
  update(figures: PanelFigures, visible: boolean): void;
};

/** The graphs of traffic in both directions, position error and delays. */
export function graphs(): readonly Reading[] {
  const traffic = (direction: keyof PanelFigures['traffic'], title: string): Reading =>
    graph(
      { title, unit: 'kbit/s', series: TRAFFIC_SERIES, seconds: GRAPH_SECONDS, stacked: true },
      (figures, out) => {
        const { bodies, avatars, headers } = figures.traffic[direction];
        out[0] = bodies;
        out[1] = avatars;
        out[2] = headers;
        return describeTraffic(title, figures.traffic[direction]);
      },
    );
  return [
    traffic('hostToGuest', 'Host to guest'),
    traffic('guestToHost', 'Guest to host'),
    graph(
      { title: 'Position error', unit: 'cm', series: ERROR_SERIES, seconds: GRAPH_SECONDS },
      ({ error }, out) => {
        out[0] = error.p50 * 100;
        out[1] = error.p95 * 100;
        out[2] = error.max * 100;
        return `Position error: median ${formatDistance(error.p50)}, 95 % below ${formatDistance(error.p95)}, largest ${formatDistance(error.max)}`;
      },
    ),
    graph(
      {
        title: 'Round trip and playout delay',
        unit: 'ms',
        seconds: GRAPH_SECONDS,
        series: [
          { name: 'round trip', colour: '#5b6875' },
          { name: 'host', colour: slotLook(HOST).colour },
          { name: 'guest', colour: slotLook(GUEST).colour },
        ],
      },
      ({ roundTrip, playoutDelay }, out) => {
        out[0] = roundTrip;
        out[1] = playoutDelay.host;
        out[2] = playoutDelay.guest;
        return `Round trip ${formatMilliseconds(roundTrip)}; playout delay of the host ${formatMilliseconds(playoutDelay.host)}, of the guest ${formatMilliseconds(playoutDelay.guest)}`;
      },
    ),
  ];
}

/**
 * Creates a graph. `read` writes the values into `out` and returns a sentence for people who can't see the
 * graph.
 */
function graph(options: GraphOptions, read: (figures: PanelFigures, out: number[]) => string): Reading {
  const canvas = el('canvas', { role: 'img', 'aria-label': options.title });
  const drawn = new Graph(canvas, options);
  const values = options.series.map(() => 0);
  return {
    element: el('div', { class: 'graph' }, canvas),
    update(figures, visible) {
      const sentence = read(figures, values);
      drawn.push(values);
      if (!visible) return;
      drawn.draw();
      if (canvas.getAttribute('aria-label') !== sentence) canvas.setAttribute('aria-label', sentence);
    },
  };
}

function describeTraffic(title: string, traffic: TrafficFigures): string {
  const { bodies, avatars, headers } = traffic;
  return `${title}: ${formatBitrate(totalOf(traffic))}, of which bodies ${formatBitrate(bodies)}, avatars ${formatBitrate(avatars)}, headers ${formatBitrate(headers)}`;
}

/**
 * Shows how many bodies each player has: a bar in the players' colours, and the numbers beside their badges.
 */
export function authorityBar(players: number): Reading {
  const slots = Array.from({ length: players }, (_, slot) => slot as Slot);
  const parts = slots.map((slot) => el('i', { style: `background:${slotLook(slot).colour}` }));
  const rest = el('i', { style: `background:${WHITE}` });
  const counts = slots.map(() => el('b'));
  const none = el('b');
  const legend = slots.map((slot, i) =>
    el('span', { title: `Under ${slotLook(slot).name}` }, slotBadge(slot), counts[i]),
  );
  const white = el('span', { class: 'badge white' });
  return {
    element: el(
      'div',
      { class: 'authority' },
      el('span', { class: 'name' }, 'Bodies'),
      el('div', { class: 'legend' }, ...legend, el('span', { title: 'Under none' }, white, none)),
      el('div', { class: 'bar', 'aria-hidden': 'true' }, ...parts, rest),
    ),
    update({ authority }, visible) {
      if (!visible) return;
      slots.forEach((slot, i) => {
        const count = authority.slots[slot] ?? 0;
        setText(counts[i], String(count));
        parts[i].style.flexGrow = String(count);
      });
      setText(none, String(authority.none));
      rest.style.flexGrow = String(authority.none);
    },
  };
}

/** Figures that are shown as numbers, not as graphs. */
export function counters(): Reading {
  const ticks = el('dd');
  const rejected = el('dd');
  const reasons = el('dd', { class: 'reasons' });
  return {
    element: el(
      'dl',
      { class: 'counters' },
      el('div', {}, el('dt', {}, 'Ticks'), ticks),
      el('div', {}, el('dt', {}, 'Rejected'), rejected, reasons),
    ),
    update(figures, visible) {
      if (!visible) return;
      setText(ticks, formatRate(figures.tickRate));
      const said = formatRejected(figures.rejected);
      setText(rejected, said.total);
      setText(reasons, said.reasons);
    },
  };
}

/** Returns the most important figures in one line, for the button that opens the panel. */
export function summarise(figures: PanelFigures): string {
  const { hostToGuest, guestToHost } = figures.traffic;
  return `${formatMilliseconds(figures.roundTrip)} · ${formatBitrate(totalOf(hostToGuest) + totalOf(guestToHost))}`;
}
