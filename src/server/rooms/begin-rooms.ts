import type { HouseSettings } from '../../dedicated/process-messages.ts';
import { RoomsProcess } from '../../dedicated/rooms-process.ts';
import { FolderStore } from '../../dedicated/snapshots/folder-store.ts';
import type { SnapshotPlace } from '../../dedicated/snapshots/snapshot-store.ts';
import { BROKER_PATH } from '../broker/broker.ts';
import type { House } from '../broker/house.ts';
import type { Cluster } from '../cluster/cluster.ts';
import type { OutsideBroker } from '../settings/services.ts';
import type { RoomsSettings, ServerSettings, SnapshotsSettings } from '../settings/settings.ts';
import { founderSecret } from './founder-secret.ts';
import { LivingRooms } from './living-rooms.ts';

/** Milliseconds after which a server room ends in which nobody is: a reload, or a lunch. */
const EMPTY_ROOM_MS = 5 * 60_000;

/** The parts of the server that its rooms need. `cluster`: null if it is the only process of its site. */
export type RoomsParts = { readonly house: House; readonly cluster: Cluster | null };

/** Creates the list of the rooms that networks have. @throws Error if a cluster's Redis goes away meanwhile. */
export async function livingRooms(
  { snapshots }: ServerSettings,
  rooms: RoomsSettings,
  cluster: Cluster | null,
): Promise<LivingRooms> {
  const secret = await founderSecret(snapshots?.kind === 'folder' ? snapshots.folder : null);
  return new LivingRooms(rooms.mostOfNetwork, (await cluster?.networksSecret(secret)) ?? secret);
}

/** Creates the process with the rooms, which begins later. [N6.3] The doors of the kept ones are reserved at once. */
export async function roomsProcess(
  settings: ServerSettings,
  rooms: RoomsSettings,
  { house, cluster, living }: RoomsParts & { readonly living: LivingRooms },
  own: () => string | null,
): Promise<RoomsProcess> {
  if (settings.snapshots?.kind === 'folder') {
    // Their secrets are read later, by that process.
    const codes = await new FolderStore(settings.snapshots.folder).codes();
    house.doors.reserve(codes.map((code) => ({ code, secret: null, founder: null, key: null })));
  }
  return new RoomsProcess(
    () => houseSettings(settings, rooms, { house, cluster }, own()),
    (doors) => {
      house.doors.reserve(doors);
      cluster?.adopt(doors.map(({ code }) => code));
      living.keep(doors);
    },
  );
}

/** @param own the address of this server's own WebSockets, with a slash at its end. */
function houseSettings(
  { broker, ice, snapshots }: ServerSettings,
  { most, host, privateNetworks }: RoomsSettings,
  { house, cluster }: RoomsParts,
  own: string | null,
): HouseSettings {
  const url = broker === null ? `${own}${BROKER_PATH.slice(1)}` : brokerUrl(broker);
  // Its own certificate has no signature that another process would believe.
  const trustsAny = broker === null;
  const address = host === null ? {} : { address: host };
  const key = broker?.key === undefined ? {} : { key: broker.key };
  // No other server learns the secret of this one.
  const headers = broker === null ? house.headers : {};
  return {
    network: { broker: { url, trustsAny, headers, ...key }, stun: ice.stun, privateNetworks, ...address },
    mostRooms: most,
    emptyMs: EMPTY_ROOM_MS,
    lineSecret: house.secret,
    ...(snapshots === null ? {} : { snapshots: placeOf(snapshots, cluster) }),
  };
}

function placeOf(snapshots: SnapshotsSettings, cluster: Cluster | null): SnapshotPlace {
  const keepMs = 3_600_000 * snapshots.hours;
  if (snapshots.kind === 'folder') return { kind: 'folder', path: snapshots.folder, keepMs };
  if (cluster === null) throw new Error('Only a cluster keeps rooms in Redis.');
  return { kind: 'redis', url: snapshots.url, process: cluster.members.id, keepMs };
}

function brokerUrl({ host, port, path, secure }: OutsideBroker): string {
  return `${secure ? 'wss' : 'ws'}://${host}:${port}${path}`;
}
