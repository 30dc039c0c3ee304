import { Random, TICK_MS, toSlot } from 'handover';
import { randomRoomCode, readRoomCode } from 'handover/membership';
import { WebRtcStation } from 'handover/webrtc';
import { createGame } from '../before-and-after/after.js';

/** The page that opens without a code is the host; its link brings the other page. */
const [HOST, GUEST] = [toSlot(0), toSlot(1)];
const joins = readRoomCode(location.hash.slice(1));
const isHost = joins === null;
const code = joins ?? randomRoomCode(new Random(crypto.getRandomValues(new Uint32Array(1))[0]));

/** A broker of PeerJS: `npx --package=peer peerjs --port 9000` runs one on this machine. */
const asked = new URLSearchParams(location.search);
const station = new WebRtcStation({
  host: asked.get('host') ?? 'localhost',
  port: Number(asked.get('port') ?? 9000),
  path: asked.get('path') ?? '/',
  secure: false,
  rtc: { iceServers: [] },
});

const status = document.querySelector('#status');
const picture = document.querySelector('canvas').getContext('2d');
const places = [];
let hasAsked = false;
let game = null;

function tick() {
  if (station.state === 'open' && !hasAsked) {
    hasAsked = true;
    if (isHost) station.openDoor(code);
    else station.dialDoor(code);
    const link = Object.assign(document.createElement('a'), { href: `#${code}`, target: '_blank' });
    link.textContent = isHost ? 'Open this link in another tab' : 'Joining';
    status.replaceChildren(link);
  }
  station.lines.poll({
    opened: (line) => begin(line),
    message: () => undefined,
    closed: () => (status.textContent = 'The other page has gone. Load this one again.'),
  });
  game?.tick();
  draw();
}

/** Both pages are there: packets take this line, and the game begins. */
function begin(line) {
  if (game !== null) return;
  const [slot, other] = isHost ? [HOST, GUEST] : [GUEST, HOST];
  station.bind(other, line);
  const player = { slot, host: HOST, other, transport: station.transport };
  game = createGame((ball, { x, y }) => (places[ball] = { x, y }), player);
  status.textContent = isHost ? 'You are the host.' : 'You are the guest.';
}

/** The balls from the side, 40 pixels a metre. */
function draw() {
  picture.clearRect(0, 0, 640, 240);
  places.forEach(({ x, y }, ball) => {
    picture.fillStyle = ['#c33', '#3a3', '#33c'][ball];
    picture.beginPath();
    picture.arc(280 + 40 * x, 220 - 40 * y, 12, 0, 2 * Math.PI);
    picture.fill();
  });
}

document.querySelector('button').addEventListener('click', () => game?.kick(0));
addEventListener('pagehide', () => station.close());
// For whoever looks from outside: the page's test.
globalThis.places = places;
setInterval(tick, TICK_MS);
