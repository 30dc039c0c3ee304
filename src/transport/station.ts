import type { RoomCode } from '../core/room/code.ts';
import { DOOR_PREFIX } from '../core/room/code.ts';
import type { Slot } from '../core/base/ids.ts';
import type { SearchMeans } from '../core/room/guest/door-search.ts';
import type { LineId, LineWay } from '../core/room/line.ts';
import type { Transport } from '../core/link/transport.ts';

/**
 * The state of an id at the broker. `unreachable`: the broker has not answered yet. `lost`: the broker has answered
 * before, but is gone, and play does not need it. In both it is asked again and again. `taken`: another has this id.
 */
export type AddressState = 'opening' | 'open' | 'lost' | 'taken' | 'unreachable' | 'closed';

/** The state of a line; `closed` is final. */
export type LineState = 'connecting' | 'open' | 'closed';

/** A line that has opened. */
export type OpenedLine = {
  /** The id at the broker of the page at the other end, as the broker vouches for it. */
  readonly page: string;
  /** This end has called the other one. */
  readonly isCaller: boolean;
  /** [P2.2] The channel binding, with the caller's part first. */
  readonly binding: string;
};

/** Events on lines; `poll` reports them. */
export type LineEvents = {
  opened(line: LineId, end: OpenedLine): void;
  /** A message of at most MAX_MESSAGE_LENGTH characters has come. */
  message(line: LineId, text: string): void;
  /** @param wasOpen false if the line never opened. */
  closed(line: LineId, wasOpen: boolean): void;
};

/** A line as the member of a room uses it. */
export type MemberLine = {
  /** True once the other end has answered the call. */
  readonly hasAnswer: boolean;
  /** Sends a message; it is dropped if the line is not open. */
  sendMessage(text: string): void;
};

/** The lines of a station, by number. */
export type MemberLines = {
  /** Null if there is no such line, or `poll` has reported its end. */
  get(id: LineId): MemberLine | null;
  /** Reports what has happened since the last `poll`, line by line, each in its order. */
  poll(events: LineEvents): void;
  /** Closes a line, after its last messages; an unknown line is passed over. */
  close(id: LineId): void;
};

/**
 * Everything between a member of a room and the others: its id at the broker, its lines, its packets. A page and a
 * process of Node have one each, over different implementations of WebRTC.
 */
export interface Station {
  /** This member's id at the broker. */
  readonly id: string;
  /** The state of that id; the state of the door, if there is one and the id is open. */
  readonly state: AddressState;
  /** The state of the door at the broker; null without a door. */
  readonly doorState: AddressState | null;
  /** The paths that its lines may take. */
  readonly means: SearchMeans;
  readonly lines: MemberLines;
  /** Packets, by slot. */
  readonly transport: Transport;
  /** Packets of a slot take this line from now on; null: the slot is no longer reached. The line before stays open. */
  bind(slot: Slot, line: LineId | null): void;
  /** No slot is reached any more; the lines stay open. */
  unbindAll(): void;
  /**
   * For a host: answers at the door of this room from now on, instead of any other door.
   * @param token another page that has it may take over the door.
   */
  openDoor(code: RoomCode, token?: string): void;
  /** Answers at no door any more; the lines stay open. */
  closeDoor(): void;
  /** Begins to open a line to the page with this id; null if the broker can't be asked at present. */
  dial(page: string): LineId | null;
  /** Begins to open a line to the host at a room's door; null if the broker can't be asked at present. */
  dialDoor(code: RoomCode, way?: LineWay): LineId | null;
  /** True if the broker has said since the last call of this method that nobody answers at this door. */
  isDoorMissing(code: RoomCode): boolean;
  /** Closes everything. The last messages on the lines still go out. */
  close(): void;
}

/** @returns the id of a room's door: the id at the broker at which the room's present host answers. */
export function doorId(code: RoomCode): string {
  return DOOR_PREFIX + code;
}

/** @returns a new random id that nobody else at the broker has. */
export function randomId(): string {
  return crypto.randomUUID();
}

/**
 * Offers of lines that are accepted at once and each second: at a door, which every stranger with the code knows, and
 * at the id of a member, which only pages of its room know. There each page has a line and a call to make.
 */
export const DOOR_OFFERS = { atOnce: 16, perSecond: 2 };
export const PAGE_OFFERS = { atOnce: 32, perSecond: 4 };
/** [N2.3] The same for lines over WebSockets: a class behind one firewall comes at once, and they cost a room less. */
export const SOCKET_OFFERS = { atOnce: 64, perSecond: 8 };

/** Milliseconds for the last messages of a station that closes: a line ends with the id through which it was made. */
export const CLOSE_AFTER_MS = 500;
