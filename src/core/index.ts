/**
 * Handover's networked physics as a library: what a project needs to run a host and guests, in a page or in
 * Node. ARCHITECTURE.md shows the way of the data, PROTOCOL.md has the rules by their marks,
 * wire/STANDARD.md every bit on the wire, and wire/files/FILES.md every byte of saved worlds and recordings.
 *
 * Both ends of a connection begin it with the same number; packets with another number are dropped:
 *
 *     host.connect(guestSlot, connection);
 *     guest.connect(hostSlot, connection);
 *
 * Then a peer is fed and asked by its owner, in this order, sixty times a second:
 *
 *     transport.receive(now, (from, bytes) => peer.receive(now, from, bytes));
 *     peer.tick(input);
 *     peer.poll(now, (to, bytes) => transport.send(to, bytes), (to) => transport.ready(to));
 *     peer.view(alpha, input, view); // once a frame
 *
 * Units are metres, seconds, radians and kilograms, unless a name says otherwise; axes are right-handed, y up,
 * -z forward. The level has the world's bounds, up to a kilometre: a body that leaves them is put back [R4].
 */
export type { BodyId, ConnectionId, Existence, HandSide, Hold, Sequence, Slot, Tick } from './base/ids.ts';
export { LEFT, NO_BODY, NO_SLOT, RIGHT } from './base/ids.ts';
export {
  MAX_BODIES,
  MAX_PACKET_BYTES,
  MAX_PLAYERS,
  PLAYOUT_DELAY_TICKS,
  TICK_MS,
  TICK_RATE,
  TICK_SECONDS,
} from './base/constants.ts';
export type { Pose, Quaternion, Vector } from './base/math.ts';
export { POSE_STRIDE, STRIDE } from './base/state.ts';
export { Random } from './base/random.ts';

export type { Absence } from './world/existence.ts';
export { absenceOf, capacityOf, generationOf, templateOf } from './world/existence.ts';
export type {
  Bounds,
  GuestRights,
  Level,
  LevelBody,
  RestLimits,
  Spawning,
  StaticBody,
  Template,
} from './world/level.ts';
export { flatLevel, STANDARD_MATERIAL } from './world/level.ts';
export { faultsOfLevel } from './world/level-faults.ts';
export type { LevelRecipe, LevelReference, LevelSource } from './world/level-reference.ts';
export { referTo } from './world/level-reference.ts';
export type { Joint, JointEnd, JointKind, JointLimits, JointMotor } from './world/joints/joint.ts';
export { jointEnd } from './world/joints/joint.ts';
export type { Shape, StaticShape } from './world/shape.ts';
export type { Simulation } from './world/simulation.ts';
export { ContactGraph } from './world/contacts.ts';

export type { HandInput, PlayerInput } from './hands/hand-input.ts';
export { playerInput } from './hands/hand-input.ts';

export type { Transport } from './link/transport.ts';
export type { SendLimits } from './link/send-budget.ts';

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

export type { PeerOptions } from './peer/peer-options.ts';
export { Peer } from './peer/peer.ts';
export type { AvatarView, HandView, PeerView } from './peer/shown/peer-view.ts';
export { peerView } from './peer/shown/peer-view.ts';
export type { ActionRefusal, BodyAction } from './peer/actions/body-action.ts';
export type { Spawn, SpawnRefusal } from './peer/actions/spawning.ts';
export type { EventKind, PeerEvent } from './peer/diagnostics/event-log.ts';
export type { PeerDiagnostics } from './peer/diagnostics/peer-diagnostics.ts';
export type { Inspection } from './peer/diagnostics/inspect.ts';
export { inspect } from './peer/diagnostics/inspect.ts';

export type { LevelReading } from './wire/files/level-text.ts';
export { readLevel, writeLevel } from './wire/files/level-text.ts';
export type { FileFault } from './wire/files/file.ts';
export type { SavedWorld } from './wire/files/saved-world.ts';
export { readWorldFile, writeWorldFile } from './wire/files/saved-world.ts';
export type { RecordedPeer } from './peer/recording/recorder.ts';
export { PeerRecorder, Recorder } from './peer/recording/recorder.ts';
export type { Recording } from './peer/recording/recording.ts';
export { readRecording } from './peer/recording/recording.ts';
export type { PlayedPeer } from './peer/recording/playback.ts';
export { Playback } from './peer/recording/playback.ts';
