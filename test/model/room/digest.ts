import type { Roster } from '../../../src/core/room/messages.ts';
import { LiarPage } from './liar.ts';
import type { End } from './network.ts';
import { STEPS_A_SECOND } from './network.ts';
import type { Page } from './page.ts';
import type { Room } from './room.ts';
import { PLAYERS } from './room.ts';

/**
 * The state of a room as text. Members keep their state to themselves, so it is told by what was seen of them: what
 * each page shows, what was last said on each line and how long ago, as far as any timer looks back. Two rooms of
 * one text go on alike; digest.slow.test.ts tries it.
 */
export function digest(room: Room): string {
  const parts: string[] = [];
  const { network, door } = room;
  const downFor = Math.max(0, room.brokerDownUntil - network.now);
  const keeper = door === null ? '-' : `${door.page.id} ${Math.min(81, network.now - door.goneAt)}`;
  parts.push(`${downFor} ${keeper}`);
  for (const page of room.pages) parts.push(page === null ? '-' : pageText(room, page));
  for (let a = 0; a < PLAYERS; a++) {
    for (let b = a + 1; b < PLAYERS; b++) {
      const ways = network
        .between(a, b)
        .map(({ near, far }) => `${endText(room, near)} ${endText(room, far)}`);
      parts.push(`${Math.max(0, network.cutUntil(a, b) - network.now)}:${ways.join(',')}`);
    }
  }
  return withoutEpochs(parts.join('\n'));
}

/**
 * Epochs of one term count only beside one another, and so does the connection that a guest wants to keep; a
 * lineage is history, and a signature says no more than the text that it is of.
 */
function withoutEpochs(text: string): string {
  const pattern = /"term":(\d+)(,[^{}]*?(?:"ballot":\{)?)"epoch":(\d+)/g;
  const newest = new Map<string, number>();
  for (const [, term, , epoch] of text.matchAll(pattern))
    newest.set(term, Math.max(Number(epoch), newest.get(term) ?? 0));
  return text
    .replaceAll(
      pattern,
      (_, term: string, between: string, epoch: string) =>
        `"term":${term}${between}"epoch":${Number(epoch) - (newest.get(term) ?? 0)}`,
    )
    .replaceAll(/\],"epoch":\d+/g, ']')
    .replaceAll(/"connection":\d+/g, '"connection":0')
    .replaceAll(/"(signature|handover|challenge)":"[^"]*"/g, '"$1":""');
}

function pageText(room: Room, page: Page): string {
  const { now } = room.network;
  const { host, guest } = page.member;
  const parts = [page.id, Math.max(0, page.stalledUntil - now), page.term, page.doorNote];
  parts.push(page.member.room, [...page.passedOver].join());
  if (host !== null) {
    const { tenure } = host;
    parts.push(`host ${JSON.stringify(tenure.home)} ${host.rivals.goesOnIn} ${host.awaits.join('')}`);
    // A host sends its roster and its standings once a second.
    parts.push(page.awake % STEPS_A_SECOND);
  } else if (guest !== null) {
    const { status, welcome } = guest;
    const why = status.kind === 'ended' ? status.why : '';
    parts.push(`${status.kind}${why} ${JSON.stringify(welcome?.home)}`);
    parts.push(guest.lines().length);
  }
  parts.push(rosterText(page.member.roster), boundText(room, page));
  parts.push(marksText(page));
  if (page instanceof LiarPage) parts.push(page.liesNote);
  return parts.join('|');
}

/** The last events, as long as a timer looks back at them. */
function marksText(page: Page): string {
  const texts: string[] = [];
  for (const [kind, { what, at, most }] of page.marks) {
    const age = page.awake - at;
    if (age < most) texts.push(`${kind} ${what} ${age}`);
    else if (/^(call|failed|elsewhere)/.test(kind)) texts.push(`${kind} ${what}`);
    else if (kind.startsWith('closed') && !hasLineTo(page, Number(kind.slice(-1)))) texts.push(kind);
  }
  return texts.sort().join('|');
}

function hasLineTo(page: Page, player: number): boolean {
  return [...page.ends.values()].some((end) => end.there === player && end.isOpen);
}

function rosterText(roster: Roster | null): string {
  if (roster === null) return '-';
  const players = roster.players.map(({ slot, id, presence }) => `${slot}${presence}${id}`);
  return `${roster.host} ${players.join(',')} "term":${roster.term},"epoch":${roster.epoch} ${roster.signature !== null}`;
}

/** On which lines the page sends packets, and whether the other end takes them. */
function boundText(room: Room, page: Page): string {
  const texts: string[] = [];
  for (const [slot, { end, connection }] of page.bound) {
    const back = room.playing(end.there)?.bound ?? new Map<number, { end: End; connection: number }>();
    const isTaken = [...back.values()].some(
      (other) => other.end === end.other && other.connection === connection,
    );
    texts.push(`${slot} ${orderOf(room, end)} ${isTaken}`);
  }
  return texts.sort().join();
}

function orderOf(room: Room, end: End): number {
  return room.network.between(end.here, end.there).findIndex(({ near, far }) => near === end || far === end);
}

function endText({ network }: Room, { inbox, wasOpened, isClosed, packet }: End): string {
  const waiting = inbox.map((event) => {
    const text = event.kind === 'said' ? event.text : event.kind;
    return `${Math.max(0, event.at - network.now)}${text}`;
  });
  return `${wasOpened ? 'o' : ''}${isClosed ? 'c' : ''}${packet === null ? '' : 'p'}${waiting.join('')}`;
}
