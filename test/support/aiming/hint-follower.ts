import type { RoomPlayerPage } from '../pages/room-page.ts';
import { inspectOf, roomOf } from '../pages/room-page.ts';
import { calledBy } from '../../../src/pages/room/model.ts';
import { Fingers } from './fingers.ts';
import { distance, headOf } from './heads.ts';
import type { Point } from './pointer.ts';
import { inPicture, isFree, middleOf, onScreen } from './screen.ts';

/** Milliseconds within which a page takes what is pressed: long, for a machine with much to do. */
const TAKES_MS = 2500;
const OFTEN_MS = 60;

/** A player who does what its hints say, and nothing else. */
export type HintFollower = {
  readonly player: RoomPlayerPage;
  /** The hints that it has read, each change once. */
  readonly read: string[];
  /** Reads the hint, and does once what it says. @param takesUp whether it takes a cube if that is what it says. */
  step(takesUp: boolean): Promise<void>;
  /** It opens its hand. */
  rest(): Promise<void>;
};

/** The hands of a device: it presses a point of the screen, or a tool beside. */
type Device = {
  down(at: Point): Promise<void>;
  up(): Promise<void>;
  holdOut(): Promise<void>;
};

/** Follows hints with the mouse, and the keys that they name. */
export function followWithMouse(player: RoomPlayerPage): HintFollower {
  const { mouse, keyboard } = player.page;
  return follow(player, {
    async down({ x, y }) {
      await mouse.move(x, y);
      await mouse.down();
    },
    up: () => mouse.up(),
    holdOut: () => keyboard.press('o'),
  });
}

/** Follows hints with the fingers: the first holds a cube, and the second taps tools. */
export async function followWithFingers(player: RoomPlayerPage): Promise<HintFollower> {
  const fingers = await Fingers.on(player);
  return follow(player, {
    down: (at) => fingers.put(0, at),
    up: () => fingers.lift(0),
    async holdOut() {
      const tool = player.page.getByRole('button', { name: 'Hold it out to a friend' });
      await fingers.put(1, await middleOf(tool));
      await pause(OFTEN_MS);
      await fingers.lift(1);
    },
  });
}

function follow(player: RoomPlayerPage, device: Device): HintFollower {
  const read: string[] = [];
  let isDown = false;
  const release = async (): Promise<void> => {
    if (isDown) await device.up();
    isDown = false;
  };
  const press = async (at: Point): Promise<void> => {
    await release();
    await device.down(at);
    isDown = true;
  };
  return {
    player,
    read,
    rest: release,
    async step(takesUp) {
      const hint = await hintOf(player);
      if (hint !== read.at(-1)) read.push(hint);
      if (/^(Drag a cube|Take a cube and hold it out to)/.test(hint)) {
        if (takesUp && !(await holdsAny(player))) await takeUp(player, press);
      } else if (/^Hold it out to/.test(hint)) await device.holdOut();
      else if (/^(Let go|Put yours down)/.test(hint)) await release();
      else if (/^Press and hold .*’s cube/.test(hint)) {
        const fault = await pressOffered(player, press);
        if (fault !== null) read.push(fault);
      }
    },
  };
}

/**
 * One player hands a cube to another, by their hints alone, until both are praised.
 * @throws Error with what the two have read.
 */
export async function handOver(giver: HintFollower, taker: HintFollower, seconds = 45): Promise<void> {
  const [from, to] = [await nameOf(giver.player), await nameOf(taker.player)];
  const sentences = [`You gave ${to} a cube.`, `${from} gave you a cube.`];
  const praise = [giver, taker].map(({ player }, i) =>
    player.page
      .getByText(sentences[i])
      .first()
      .waitFor({ state: 'attached', timeout: seconds * 1000 }),
  );
  const result = { isOver: false, isPraised: false };
  const end = Promise.allSettled(praise).then((all) => {
    Object.assign(result, { isOver: true, isPraised: all.every(({ status }) => status === 'fulfilled') });
  });
  while (!result.isOver) {
    await giver.step(true);
    await taker.step(false);
    await pause(OFTEN_MS);
  }
  await end;
  if (!result.isPraised)
    throw new Error(`no hand-over: ${giver.read.join(' / ')}; and ${taker.read.join(' / ')}`);
}

/** The name by which others call a player. */
async function nameOf({ page }: RoomPlayerPage): Promise<string> {
  const { players, you } = await roomOf({ page });
  return calledBy(players.find(({ slot }) => slot === you) ?? { slot: you, name: '' });
}

/** The hint on a player's screen; empty without one. */
export async function hintOf({ page }: RoomPlayerPage): Promise<string> {
  return page.evaluate(() => {
    const element = document.querySelector('.hints');
    if (element?.checkVisibility({ visibilityProperty: true }) !== true) return '';
    return element.querySelector('p')?.textContent ?? '';
  });
}

/** Presses cubes that are seen, the nearest first, until one is in the hand; the next step tries again. */
async function takeUp(player: RoomPlayerPage, press: (at: Point) => Promise<void>): Promise<void> {
  const { bodies, slot } = await inspectOf(player);
  const eye = (await headOf(player, slot)).position;
  const places = bodies
    .filter(({ holder, resting }) => holder === null && resting)
    .map(({ position: [x, y, z] }) => ({ x, y, z }))
    .sort((a, b) => distance(a, eye) - distance(b, eye));
  for (const place of places) {
    const seen = await inPicture(player, place);
    if (seen === null || Math.abs(seen.x) > 0.9 || Math.abs(seen.y) > 0.9) continue;
    const at = await onScreen(player, place);
    if (!(await isFree(player, at))) continue;
    await press(at);
    if (await within(TAKES_MS, () => holdsAny(player))) return;
  }
}

/** Presses the cube in a friend's hand, where it is drawn. @returns why it could not; null if it did. */
async function pressOffered(
  player: RoomPlayerPage,
  press: (at: Point) => Promise<void>,
): Promise<string | null> {
  const { bodies, slot } = await inspectOf(player);
  const offered = bodies.find(({ holder }) => holder !== null && holder.slot !== slot);
  if (offered === undefined) return '(no friend holds a cube)';
  const [x, y, z] = offered.position;
  // It may be out of the picture for a moment, while the friend walks or turns.
  const isSeen = (await inPicture(player, { x, y, z })) !== null;
  const at = isSeen ? await onScreen(player, { x, y, z }) : null;
  if (at === null) return '(the cube is behind)';
  const free = await isFree(player, at);
  if (free) await press(at);
  const isTaken = await within(TAKES_MS, async () => !(await hintOf(player)).startsWith('Press'));
  if (isTaken) return null;
  const place = `${Math.round(at.x)}, ${Math.round(at.y)}`;
  return free ? `(pressed at ${place} in vain)` : `(something lies over the cube at ${place})`;
}

async function holdsAny(player: RoomPlayerPage): Promise<boolean> {
  const { bodies, slot } = await inspectOf(player);
  return bodies.some(({ holder }) => holder?.slot === slot);
}

/** Waits until something is so; returns false if it is not within so many milliseconds. */
async function within(ms: number, isSo: () => Promise<boolean>): Promise<boolean> {
  const end = Date.now() + ms;
  while (Date.now() < end) {
    if (await isSo()) return true;
    await pause(OFTEN_MS);
  }
  return false;
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => void setTimeout(resolve, ms));
}
