import RAPIER from '@dimforge/rapier3d-compat';
import { playerInput, POSE_STRIDE, RIGHT } from 'handover';
import { joinRoom, openRoom, readRoomLink, startTicker } from 'handover/room';
import { bowlingHand } from './hand.js';
import { BALL, bowlingLevel } from './lane.js';
import { createPicture } from './picture.js';
import { judge, rollsOf, schema } from './rules.js';
import { framesOf, isGameOver, scoreOf } from './score.js';

await RAPIER.init();

/** `npx --package=peer peerjs --port 9000` runs a broker on this machine. */
const broker = new URLSearchParams(location.search).get('broker') ?? 'http://localhost:9000/';
const status = document.querySelector('#status');
const input = playerInput();
const options = { engine: RAPIER, level: bowlingLevel, schema, input, broker };
const room = await (
  readRoomLink(location.href) === null ? openRoom(options) : joinRoom(location.href, options)
).catch((error) => {
  status.textContent = error.message;
  throw error;
});
history.replaceState(null, '', room.link(location.href));

const picture = createPicture(bowlingLevel, document.querySelector('#picture'));
const { renderer, camera } = picture;
const hand = input.hands[RIGHT];
const swing = bowlingHand(renderer.domElement, camera, hand, (place) =>
  place.fromArray(room.view().poses, BALL * POSE_STRIDE),
);

startTicker({
  frames: renderer,
  tick() {
    swing();
    room.tick();
    judge(room.peer, room.view());
  },
  frame(alpha) {
    picture.draw(room.view(alpha));
    showScore(rollsOf(room.peer));
    const others = room.players.length - 1;
    const invitation = 'Send this page’s address to a friend. Flick the ball towards the pins.';
    const news = others > 0 ? `You play with ${others}. Flick the ball towards the pins.` : invitation;
    status.textContent = room.error?.message ?? (room.status === 'left' ? 'You have left the room.' : news);
  },
});

/** A column for each frame: what fell in each roll, and the points up to there. */
function showScore(rolls) {
  const sheet = document.querySelector('#score');
  if (sheet.dataset.rolls === `${rolls}`) return;
  sheet.dataset.rolls = `${rolls}`;
  let seen = 0;
  const cells = framesOf(rolls).map((frame) => {
    seen += frame.length;
    const signs = frame.map((pins, i) => {
      if (pins === 10) return 'X';
      return i > 0 && frame[i - 1] + pins === 10 ? '/' : pins || '–';
    });
    return `<td>${signs.join(' ')}<b>${frame.length > 0 ? scoreOf(rolls.slice(0, seen)) : ''}</b></td>`;
  });
  while (cells.length < 10) cells.push('<td><b></b></td>');
  const total = `${scoreOf(rolls)}${isGameOver(rolls) ? ' in all' : ''}`;
  sheet.innerHTML = `<tr>${cells.join('')}<td>Score<b>${total}</b></td></tr>`;
}

// For whoever looks from outside: the page's test.
globalThis.game = { room, camera, rolls: () => rollsOf(room.peer) };
