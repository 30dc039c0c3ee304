import RAPIER from '@dimforge/rapier3d-compat';
import { toBody } from '../../../src/core/base/ids.ts';
import { inspect } from '../../../src/core/peer/diagnostics/inspect.ts';
import type { OwnWorld, Room } from '../../../src/room/index.ts';
import { joinRoom, openRoom, readRoomLink, startTicker } from '../../../src/room/index.ts';

/** The parts of a page with a room of its own world that a story reads. */
export type OwnWorldPage = {
  readonly room: Room<RAPIER.RigidBody>;
  /** The places of all bodies, and whether all of them rest without anybody's authority. */
  bodies(): { readonly places: readonly (readonly number[])[]; readonly rest: boolean };
  /** Kicks the second body: it rolls away to another place. */
  kick(): void;
  /** Opens a room of no level. @returns the sentence that the page's `catch` is given. */
  openNothing(): Promise<string>;
};

declare global {
  interface Window {
    ownWorldPage?: OwnWorldPage;
  }
}

/** Boxes on a floor. */
function ownWorld(): OwnWorld<RAPIER.RigidBody> {
  const world = new RAPIER.World({ x: 0, y: -9.81, z: 0 });
  world.createCollider(RAPIER.ColliderDesc.cuboid(20, 1, 20).setTranslation(0, -1, 0));
  const bodies = [0, 2, 4].map((x) => {
    const body = world.createRigidBody(RAPIER.RigidBodyDesc.dynamic().setTranslation(x, 0.3, 0));
    world.createCollider(RAPIER.ColliderDesc.cuboid(0.25, 0.25, 0.25), body);
    return body;
  });
  return { engine: RAPIER, world, bodies };
}

await RAPIER.init();
const options = { ...ownWorld(), server: '/' };
const room = await (readRoomLink(location.href) === null
  ? openRoom(options)
  : joinRoom(location.href, options));
history.replaceState(null, '', room.link(location.href));
startTicker({ tick: () => room.tick() });

window.ownWorldPage = {
  room,
  bodies() {
    const { bodies } = inspect(room.peer);
    return {
      places: bodies.map(({ position }) => [...position]),
      rest: bodies.every(({ resting, authority }) => resting && authority === null),
    };
  },
  kick: () => room.peer.act({ kind: 'impulse', body: toBody(1), push: { x: 0.3, y: 0.5, z: 0 }, at: null }),
  openNothing: () =>
    openRoom({ engine: RAPIER, levels: () => null }).then(
      () => '',
      (error: unknown) => String(error),
    ),
};
