/**
 * Handover's networked physics as a library: what a project needs to run a host and guests, in a page or in Node.
 * `membership.ts` decides who is in a room, and `files.ts` has saved worlds and recordings. ARCHITECTURE.md shows the
 * way of the data, PROTOCOL.md has the rules by their marks, wire/STANDARD.md every bit on the wire, and
 * wire/files/FILES.md every byte of saved worlds and recordings.
 *
 * Both ends of a connection begin it with the same number; packets with another number are dropped:
 *
 *     host.connect(guestSlot, connection);
 *     guest.connect(hostSlot, connection);
 *
 * Then the peer's owner makes these calls, in this order, as many times a second as the level's rate says:
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
export { LEFT, NO_BODY, NO_SLOT, RIGHT, toBody, toConnection, toSlot } from './base/ids.ts';
export {
  MAX_BODIES,
  MAX_PACKET_BYTES,
  MAX_PLAYERS,
  MAX_TICK_RATE,
  MIN_TICK_RATE,
  PLAYOUT_DELAY_SECONDS,
  TICK_MS,
  TICK_RATE,
  TICK_SECONDS,
  WATCHER_SLOT,
} from './base/constants.ts';
export type {
  Pose,
  Quaternion,
  ReadonlyPose,
  ReadonlyQuaternion,
  ReadonlyVector,
  Vector,
} from './base/math.ts';
export { MOTION, POSE_STRIDE, STRIDE } from './base/state.ts';
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
export type { DrivenBody, DrivenPath } from './world/driven/driven.ts';
export type { ConvexShape, Point, Shape, ShapePart, StaticShape } from './world/shape.ts';
export type { Ignores, Simulation } from './world/simulation.ts';
export type {
  Joint,
  JointEnd,
  JointKind,
  JointLimits,
  JointMotor,
  MadeKind,
  Making,
} from './world/joints/joint.ts';
export { jointEnd } from './world/joints/joint.ts';
export { ContactGraph } from './world/contacts.ts';

export type { HandGesture } from './hands/hand-gesture.ts';
export type { HandInput, HandTrail, PlayerInput } from './hands/hand-input.ts';
export { playerInput } from './hands/hand-input.ts';

export type { ConnectionState, Transport } from './link/transport.ts';
export type { SendLimits } from './link/send-budget.ts';

export type {
  ChoiceField,
  Field,
  Fields,
  FieldValue,
  FlagField,
  NumberField,
  TextField,
  ValueOf,
  ValuesOf,
} from './shared/field.ts';
export { field } from './shared/field.ts';
export type {
  BodyFields,
  EventFields,
  EventValues,
  PlayerFields,
  RoomFields,
  SchemaDeclaration,
} from './shared/declaration.ts';
export { SharedSchema, sharedSchema } from './shared/schema.ts';
export { faultsOfSchema } from './shared/schema-faults.ts';
export type { RoomValues, SharedEvent, ThingValues } from './peer/shared/shared-state.ts';
export { SharedState } from './peer/shared/shared-state.ts';
export type { EmitRefusal, WriteRefusal } from './peer/shared/shared-writes.ts';

export type { PeerOptions } from './peer/peer-options.ts';
export { Peer } from './peer/peer.ts';
export type { SendToWatchers } from './peer/outgoing/broadcast.ts';
export { BROADCAST_CONNECTION } from './peer/outgoing/broadcast.ts';
export { runTick } from './run-tick.ts';
export type { AvatarView, HandView, PeerView } from './peer/shown/peer-view.ts';
export { peerView } from './peer/shown/peer-view.ts';
export type { ActionRefusal, BodyAction } from './peer/actions/body-action.ts';
export type { JointRefusal, Joints, JointWish } from './peer/joints/joints.ts';
export type { Spawn, SpawnRefusal } from './peer/actions/spawning.ts';
export type { EventKind, PeerEvent } from './peer/diagnostics/event-log.ts';
export type {
  EventsDiagnostics,
  GivenBody,
  HandDiagnostics,
  LostBody,
  PeerDiagnostics,
  PlayoutDiagnostics,
} from './peer/diagnostics/peer-diagnostics.ts';
export type { GivenDiagnostics, SharedDiagnostics } from './peer/diagnostics/shared-diagnostics.ts';
export type {
  BodiesDiagnostics,
  Numbers,
  RecordsDiagnostics,
} from './peer/diagnostics/bodies-diagnostics.ts';
export type { ContactLog } from './peer/diagnostics/contact-log.ts';
export type { Traffic } from './peer/diagnostics/traffic.ts';
export type { Rule } from './world/decide.ts';
export type { Inspection } from './peer/diagnostics/inspect.ts';
export { inspect } from './peer/diagnostics/inspect.ts';
