import { joinRoom, openRoom, readRoomLink, startTicker } from 'handover/room';
import { createGame } from '../before-and-after/after.js';

/** `npx --package=peer peerjs --port 9000` runs a broker on this machine. */
const broker = new URLSearchParams(location.search).get('broker') ?? 'http://localhost:9000/';
/** The page that opens without a link to a room opens a room; its address brings the other page. */
const join = (shared) =>
  readRoomLink(location.href) === null
    ? openRoom({ ...shared, broker })
    : joinRoom(location.href, { ...shared, broker });

const status = document.querySelector('#status');
const places = [];
const game = await createGame((ball, place) => (places[ball] = place), join).catch((error) => {
  status.textContent = error.message;
  throw error;
});
history.replaceState(null, '', game.room.link(location.href));
startTicker({ tick: () => game.tick(), frame: draw });
document.querySelector('button').addEventListener('click', () => game.kick(0));

/** The balls from the side, 40 pixels a metre. */
function draw() {
  const { room } = game;
  const role = room.hosting === null ? 'guest' : 'host';
  const news = `You are the ${role}. Open this page’s address in another tab.`;
  status.textContent = room.error?.message ?? (room.status === 'left' ? 'You have left the room.' : news);
  const picture = document.querySelector('canvas').getContext('2d');
  picture.clearRect(0, 0, 640, 240);
  places.forEach(({ x, y }, ball) => {
    picture.fillStyle = ['#c33', '#3a3', '#33c'][ball];
    picture.beginPath();
    picture.arc(280 + 40 * x, 220 - 40 * y, 12, 0, 2 * Math.PI);
    picture.fill();
  });
}

// For whoever looks from outside: the page's test.
globalThis.game = game;
