import RAPIER from '@dimforge/rapier3d-compat';
import { playerInput, Random, toSlot } from 'handover';
import { gameLevels } from 'handover/levels';
import { joinRoom, startTicker } from 'handover/node';
import { createBot } from 'handover/testing';

/** Stacks cubes in a room of Handover's own game: `node bot.js LINK`. */
const [, , link] = process.argv;
if (link === undefined) {
  console.error('Give the link of a room: node bot.js LINK');
  process.exit(1);
}
await RAPIER.init();

const input = playerInput();
const room = await joinRoom(link, { engine: RAPIER, levels: gameLevels, input, name: 'Robot' });
console.log(`In room ${room.code}.`);

// It takes no turns: the tower is its own.
const bot = createBot('stack', { slot: toSlot(0), players: 1, random: new Random(1) });
let ticks = 0;
const stop = startTicker({
  tick() {
    bot.act(ticks++, room.peer.diagnostics.bodies, input);
    room.tick();
    if (room.error === null) return;
    console.log(room.error.message);
    stop();
    room.dispose();
  },
});
