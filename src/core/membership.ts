/**
 * Who is in a room, in which slot, who comes back, and who is its host: text and time in, text and effects out. A
 * project that finds its players by other means does without. PROTOCOL.md has the rules [F3] to [P8].
 */
export type { RoomCode } from './room/code.ts';
export { randomRoomCode, readRoomCode } from './room/code.ts';
export type { Roster, RosterPlayer } from './room/messages.ts';
export { PROTOCOL_VERSION } from './room/messages.ts';
export type { LineId } from './room/line.ts';
export type { HostEffect, HostRoomOptions } from './room/host/host-options.ts';
export { HostRoom } from './room/host/host-room.ts';
export type { GuestEffect, GuestRoomOptions, GuestStatus } from './room/guest/guest-options.ts';
export { GuestRoom } from './room/guest/guest-room.ts';
export type { MemberEffect, MemberOptions, MemberStart } from './room/member.ts';
export { Member } from './room/member.ts';
export { Offences } from './room/offences.ts';
