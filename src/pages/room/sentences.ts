import { JOIN_WITHIN_MS } from '../../core/room/guest/connection-attempt.ts';
import type { JoinProgress, JoinStep } from '../../core/room/line.ts';
import type { SceneName } from '../../core/world/scene.ts';
import type { MicrophoneFailure } from '../../sound/microphone.ts';

/** Why a player can't start a room, come into one, or stay there. */
type RoomFailure =
  | 'offline'
  | 'no broker'
  | 'bad code'
  | 'room not found'
  | 'room full'
  | 'room locked'
  | 'other room'
  | 'version'
  | 'no answer'
  | 'blocked'
  | 'no relay'
  | 'lost'
  | 'removed'
  | 'rules'
  | 'opened elsewhere'
  | 'code taken';

/** Every failure that a player can meet [F5]. */
export type Failure =
  | RoomFailure
  | `microphone ${MicrophoneFailure}`
  | 'no engine'
  | 'no graphics'
  | 'insecure';

/** The text of a failure: what has happened, what to do, and what the button beside it does. */
export type FailureText = {
  readonly title: string;
  readonly text: string;
  /** `retry`: try the same once more; `reload`: load the page again. */
  readonly remedy: 'retry' | 'reload' | 'none';
};

/** The text of every failure. */
export const FAILURES: Readonly<Record<Failure, FailureText>> = {
  offline: {
    title: 'This device is offline.',
    text: 'Please check its connection to the internet, then try again.',
    remedy: 'retry',
  },
  'no broker': {
    title: 'The server that brings players together does not answer.',
    text: 'Please try again in a minute. Until then you can practise alone.',
    remedy: 'retry',
  },
  'bad code': {
    title: 'That is not a room code.',
    text: 'It has five letters, like KQXMT, and never B, I, L, O, S or Z. You can also paste the whole link.',
    remedy: 'none',
  },
  'room not found': {
    title: 'There is no room with this code now.',
    text: 'Please compare the letters with your friend. A room is there for as long as somebody is in it.',
    remedy: 'retry',
  },
  'room full': {
    title: 'This room is full.',
    text: 'Try again when somebody has left, or start a room of your own.',
    remedy: 'retry',
  },
  'room locked': {
    title: 'This room is locked.',
    text: 'Ask its host to unlock it in the menu, then try again.',
    remedy: 'retry',
  },
  'other room': {
    title: 'This is not the room of your link.',
    text: 'Somebody else answers to its code now. Ask your friend for a new link; or press Join, if you trust the code alone.',
    remedy: 'none',
  },
  version: {
    title: 'You and the host have different versions of this page.',
    text: 'Please load the page again. If that does not help, ask the host to do it, too.',
    remedy: 'reload',
  },
  'no answer': {
    title: 'The room is there, but its host does not answer.',
    text: 'The host’s device may be asleep, or just gone. Please ask your friend to look at the page, then try again.',
    remedy: 'retry',
  },
  blocked: {
    title: 'Your devices can’t reach each other.',
    text: 'The network of one of you blocks direct connections: try another network, or switch a VPN off. Or ask whoever runs this site for a TURN relay.',
    remedy: 'retry',
  },
  'no relay': {
    title: 'Even the relay could not connect you with the host.',
    text: 'The network of one of you lets too little through. Please move closer to your router, or try another network.',
    remedy: 'retry',
  },
  lost: {
    title: 'The connection to the room is lost.',
    text: 'Please check your network, then join again. Your place is kept for half a minute, or ten seconds in a full room.',
    remedy: 'retry',
  },
  removed: {
    title: 'The host has removed you from the room.',
    text: 'You can join another room, or start one of your own.',
    remedy: 'none',
  },
  rules: {
    title: 'This page was sent out of the room.',
    text: 'It broke the rules of play. Please load it again, without extensions that change pages; then you can join another room.',
    remedy: 'reload',
  },
  'opened elsewhere': {
    title: 'You are in this room in another tab.',
    text: 'Go on there, or try again to play here instead.',
    remedy: 'retry',
  },
  'code taken': {
    title: 'Your room is open in another tab.',
    text: 'Go on there, or close that tab and try again.',
    remedy: 'retry',
  },
  'microphone refused': {
    title: 'This page may not use the microphone.',
    text: 'Please allow it beside the address of the page, then try again.',
    remedy: 'retry',
  },
  'microphone missing': {
    title: 'No microphone was found.',
    text: 'Please plug one in or switch it on, then try again.',
    remedy: 'retry',
  },
  'microphone busy': {
    title: 'Another program uses the microphone.',
    text: 'Please close that program, then try again.',
    remedy: 'retry',
  },
  'microphone insecure': {
    title: 'The browser gives no microphone to this address.',
    text: 'Please open the page by its https address. All else works here, too.',
    remedy: 'none',
  },
  'microphone failed': {
    title: 'The microphone could not be started.',
    text: 'Please try again, or choose another one in the browser’s settings.',
    remedy: 'retry',
  },
  insecure: {
    title: 'The browser gives no cryptography to this address.',
    text: 'Please open the page by its https address: players know each other by keys.',
    remedy: 'none',
  },
  'no engine': {
    title: 'The physics engine could not be loaded.',
    text: 'It needs WebAssembly: please allow it for this page, or use another browser.',
    remedy: 'reload',
  },
  'no graphics': {
    title: 'This browser does not offer 3D graphics (WebGL 2) here.',
    text: 'Please switch on hardware acceleration in its settings, or use another browser.',
    remedy: 'none',
  },
};

/** Shown while a player waits: for its own room, for a friend's room, or for the world behind the lobby. */
export const BUSY = {
  opening: 'Opening your room…',
  /** The room's code and "…" come after it. */
  looking: 'Looking for room',
  loading: 'Setting up the cubes…',
} as const;

/** [F5.2] Shown while a page tries to get a line to the host: what it does just now. */
export const JOIN_STEPS: Readonly<Record<JoinStep, string>> = {
  asking: 'Asking the server…',
  calling: 'Calling the host…',
  direct: 'Finding a direct way to the host…',
  relay: 'Trying the relay…',
  entering: 'The host is letting you in…',
};

/** [F5.2] @returns for how long a page has tried, and when it stops by itself. */
export function triedFor({ forMs }: JoinProgress): string {
  return `Trying for ${Math.floor(forMs / 1000)} s. It ends by itself after ${JOIN_WITHIN_MS / 1000} s.`;
}

/** Shown in a room while the connection to the host is lost. */
export const LOST = 'Connection lost. Trying to get back…';

/** Shown while nobody new can come in; play is not disturbed. */
export const UNREACHABLE =
  'Nobody new can come in just now: the server that brings players together does not answer. You can play on.';

/** Shown once to a host whose browser keeps nothing, as in a private window. */
export const NOT_KEPT =
  'This browser keeps no cubes for later. To go on another day, save them to a file in the menu.';

/** Shown at the end of a recording. */
export const RECORDING = {
  full: 'The recording is full. It is saved.',
  saved: 'Saved.',
  failed: 'The recording could not begin: the host did not answer. Please try again in a moment.',
} as const;

/** The names of the scenes on the screen. */
export const SCENE_TITLES: Readonly<Record<SceneName, string>> = {
  pile: 'Pile',
  tower: 'Tower',
  wall: 'Wall',
  pyramid: 'Pyramid',
  grid: 'Grid',
};

/** @returns the letters of a code with spaces between them, so that a screen reader says them one by one. */
export function spelled(code: string): string {
  return code.split('').join(' ');
}
