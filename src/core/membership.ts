/**
 * This face decides who is in a room, in which slot, who comes back, and who is its host: text and time in, text and
 * effects out. A project that finds its players by other means does without. PROTOCOL.md has the rules [F3] to [P8].
 */
export type { RoomCode } from './room/code.ts';
export { randomRoomCode, readRoomCode } from './room/code.ts';
export type { Ending, Home, Refusal, Roster, RosterPlayer, Welcome } from './room/messages.ts';
export { PROTOCOL_VERSION } from './room/messages.ts';
export type { LineFailure, LineId, LineWay } from './room/line.ts';
export type { HandKind, Profile, VoiceState } from './room/profile.ts';
export type { PublicKey, RoomId, Signature } from './room/identity/key.ts';
export type { Lineage } from './room/identity/lineage.ts';
export type { HostEffect, HostRoomOptions, PacketTimes, Tenure } from './room/host/host-options.ts';
export { HostRoom } from './room/host/host-room.ts';
export type { GuestEffect, GuestEnd, GuestRoomOptions, GuestStatus } from './room/guest/guest-options.ts';
export { GuestRoom } from './room/guest/guest-room.ts';
export type { MemberEffect, MemberOptions, MemberStart } from './room/member.ts';
export { Member } from './room/member.ts';
export { Offences } from './room/offences.ts';
