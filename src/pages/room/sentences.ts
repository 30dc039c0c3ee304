import { JOIN_WITHIN_MS } from '../../core/room/guest/connection-attempt.ts';
import type { Slot } from '../../core/base/ids.ts';
import { isPerson } from '../../core/room/people.ts';
import type { JoinProgress, JoinStep } from '../../core/room/line.ts';
import type { LevelRecipe } from '../../core/world/level-reference.ts';
import type { LevelId } from '../../levels/levels.ts';
import { isLevelId } from '../../levels/levels.ts';
import { SENTENCES } from '../../room/failures.ts';
import type { SessionFailure } from '../../session/session.ts';
import type { MicrophoneFailure } from '../../sound/microphone.ts';
import type { ResetPoll } from '../../core/room/reset-wishes.ts';

/** Every failure that a player can meet [F5]. */
export type Failure =
  | SessionFailure
  | 'offline'
  | 'no page'
  | 'server lost'
  | 'bad code'
  | 'too many rooms'
  | 'no server room'
  | 'other version'
  | 'nothing to watch'
  | 'too many watch'
  | `microphone ${MicrophoneFailure | 'large room'}`
  | 'no engine'
  | 'no graphics'
  | 'insecure'
  | 'no webrtc';

/** The text of a failure: what has happened, what to do, and what the button beside it does. */
export type FailureText = {
  readonly title: string;
  readonly text: string;
  /** `retry`: try the same once more; `reload`: load the page again. */
  readonly remedy: 'retry' | 'reload' | 'none';
};

/**
 * The text of every failure. The title is that of SENTENCES, unless it would say twice what stands in the text, or this game
 * has a better word than every game: it has scenes, and one server.
 */
export const FAILURES: Readonly<Record<Failure, FailureText>> = {
  offline: {
    title: 'You are offline.',
    text: 'Check your internet connection, then try again.',
    remedy: 'retry',
  },
  'no page': {
    title: 'A part of this page didn’t load.',
    text: 'You are online, but the site doesn’t answer. Reload in a minute.',
    remedy: 'reload',
  },
  'no broker': {
    title: 'Our server doesn’t answer.',
    text: 'It brings players together. Try again in a minute, or practise alone until then.',
    remedy: 'retry',
  },
  'bad code': {
    title: 'That isn’t a room code.',
    text: 'A code has five letters, like KQXMT, and never B, I, L, O, S or Z. You can also paste the whole link.',
    remedy: 'none',
  },
  'room not found': {
    title: SENTENCES['room not found'],
    text: 'It may have ended. Check the letters with your friend, or ask for a new link.',
    remedy: 'retry',
  },
  'room full': {
    title: SENTENCES['room full'],
    text: 'Wait until somebody leaves, or start your own room.',
    remedy: 'retry',
  },
  'room locked': {
    title: SENTENCES['room locked'],
    text: 'Ask the host to unlock it in the menu, then try again.',
    remedy: 'retry',
  },
  'other room': {
    title: 'Your link no longer works.',
    text: 'Another room has its code now. Ask your friend for a new link, or press Join if you know that room.',
    remedy: 'none',
  },
  'other level': {
    title: 'Your page doesn’t have the scene of this room.',
    text: 'Reload the page. If that doesn’t help, ask the host to reload, or to choose another scene.',
    remedy: 'reload',
  },
  'other rate': {
    title: SENTENCES['other rate'],
    text: 'Reload the page. If the rates still differ, ask the host to reload, or to choose another scene.',
    remedy: 'reload',
  },
  'other schema': {
    title: 'Your page and the host’s play by different rules.',
    text: 'Reload the page. If you still read this, ask the host to reload as well.',
    remedy: 'reload',
  },
  version: {
    title: SENTENCES.version,
    text: 'Reload the page. If that doesn’t help, ask the host to reload too.',
    remedy: 'reload',
  },
  'no answer': {
    title: SENTENCES['no answer'],
    text: 'Their device may be asleep. Ask your friend to look at the page, then try again.',
    remedy: 'retry',
  },
  blocked: {
    title: 'Your devices can’t reach each other.',
    text: 'One of your networks blocks it: try another, or turn off your VPN. Or ask the people who run this site to add a TURN relay.',
    remedy: 'retry',
  },
  'no relay': {
    title: SENTENCES['no relay'],
    text: 'One of your networks is too weak. Move closer to your router, or try another network.',
    remedy: 'retry',
  },
  lost: {
    title: SENTENCES.lost,
    text: 'Check your network, then try again. Your place is kept for half a minute, or ten seconds in a full room.',
    remedy: 'retry',
  },
  'server lost': {
    title: 'The room no longer answers.',
    text: 'Its server may have ended, or your network has failed. Try again in a moment: if the server keeps its rooms, yours comes back.',
    remedy: 'retry',
  },
  removed: {
    title: SENTENCES.removed,
    text: 'You can join another room, or start your own.',
    remedy: 'none',
  },
  rules: {
    title: 'Your page had to leave the room.',
    text: 'It broke the rules of play. Turn off extensions that change pages, then reload.',
    remedy: 'reload',
  },
  'opened elsewhere': {
    title: SENTENCES['opened elsewhere'],
    text: 'Play there, or try again to play here.',
    remedy: 'retry',
  },
  'too many rooms': {
    title: 'You have opened too many rooms.',
    text: 'Try again in a minute, or start the room in your browser.',
    remedy: 'retry',
  },
  'no server room': {
    title: 'There is no place for another room.',
    text: 'This site may be full. Try again later, or start the room in your browser.',
    remedy: 'retry',
  },
  'other version': {
    title: 'This page and its site have different versions.',
    text: 'Reload the page, then start the room again.',
    remedy: 'reload',
  },
  'nothing to watch': {
    title: 'There is nothing to watch.',
    text: 'No room on this site’s server has that code now. It may have ended: ask for a new link.',
    remedy: 'retry',
  },
  'too many watch': {
    title: 'Too many people are watching.',
    text: 'Try again in a minute, or ask a friend in the room for the link to play.',
    remedy: 'retry',
  },
  'code taken': {
    title: 'Your room is open in another tab.',
    text: 'Play there, or close that tab and try again.',
    remedy: 'retry',
  },
  'microphone refused': {
    title: 'Microphone blocked.',
    text: 'Allow it in the address bar.',
    remedy: 'retry',
  },
  'microphone missing': {
    title: 'No microphone found.',
    text: 'Plug one in, then try again.',
    remedy: 'retry',
  },
  'microphone busy': {
    title: 'Another program uses your microphone.',
    text: 'Close it, then try again.',
    remedy: 'retry',
  },
  'microphone insecure': {
    title: 'No microphone at this address.',
    text: 'Open the page’s https address to talk.',
    remedy: 'none',
  },
  'microphone failed': {
    title: 'Your microphone didn’t start.',
    text: 'Try again, or choose another one in the browser’s settings.',
    remedy: 'retry',
  },
  'microphone large room': {
    title: 'No voice in this room.',
    text: 'On this site, rooms for more than eight players have none.',
    remedy: 'none',
  },
  'no webrtc': {
    title: SENTENCES['no webrtc'],
    text: 'Allow them in its settings, and in extensions that guard your privacy. Then reload.',
    remedy: 'reload',
  },
  insecure: {
    title: 'This address isn’t secure.',
    text: 'Open the page’s https address to play with friends.',
    remedy: 'none',
  },
  'no engine': {
    title: 'The physics engine didn’t load.',
    text: 'Allow WebAssembly for this page, or try another browser.',
    remedy: 'reload',
  },
  'no graphics': {
    title: 'This browser can’t draw in 3D (WebGL 2).',
    text: 'Turn on hardware acceleration in its settings, or try another browser.',
    remedy: 'none',
  },
};

/** Why a part of the page could not be fetched: this device has no network, or the site does not answer. */
export function missingPart(): 'offline' | 'no page' {
  return navigator.onLine ? 'no page' : 'offline';
}

/**
 * Returns the question before the player leaves a room.
 * @param hasFriends others are in it.
 */
export function leavingQuestion(hasFriends: boolean, isRecording: boolean): string {
  const friends = hasFriends ? ' Your friends play on without you.' : '';
  const saved = isRecording ? ' Your recording will be saved.' : '';
  return `Leave the room?${friends}${saved}`;
}

/**
 * Shown while a player waits: for its own room, in its browser or on the server; for a friend's room; or for the world
 * behind the lobby.
 */
export const BUSY = {
  opening: 'Opening your room…',
  ordering: 'Opening your room on the server…',
  /** The room's code and "…" come after it. */
  looking: 'Looking for room',
  loading: 'Setting up the cubes…',
} as const;
/** The reason why a player waits. */
export type BusyStep = keyof typeof BUSY;

/** [F5.2] Shown while a page tries to get a line to the host: what it does just now. */
export const JOIN_STEPS: Readonly<Record<JoinStep, string>> = {
  asking: 'Asking the server…',
  calling: 'Calling the host…',
  direct: 'Looking for a direct way to the host…',
  relay: 'Trying the relay…',
  entering: 'The host is letting you in…',
};

/** [F5.2] The same on the way into a room that the player has ordered of the server: nobody else lets it in. */
const ORDERED_STEPS: Readonly<Record<JoinStep, string>> = {
  ...JOIN_STEPS,
  calling: 'Calling the server…',
  direct: 'Looking for a direct way to the server…',
  entering: BUSY.loading,
};

/** [F5.2] @returns what a page in the lobby does just now to get into a room. */
export function joinStep({ step }: JoinProgress, busy: BusyStep): string {
  return (busy === 'ordering' ? ORDERED_STEPS : JOIN_STEPS)[step];
}

/** [F5.2] @returns for how long a page has tried, and when it stops by itself. */
export function triedFor({ forMs }: JoinProgress): string {
  return `Trying for ${Math.floor(forMs / 1000)}\u00a0s, and for ${JOIN_WITHIN_MS / 1000}\u00a0s at most.`;
}

/** Shown in a room while the connection to the host is lost. */
export const LOST = 'Connection lost. Reconnecting…';
/** The same, where the server is the host: it may have ended, or begun anew. */
const LOST_SERVER = 'The server doesn’t answer. Reconnecting…';
/** The same, where the browser knows that this device has no network at all. */
const LOST_OFFLINE = 'You are offline. Reconnecting…';

/** The same for a page that was host itself: it gave the room away, or stepped down [F4]. */
const GIVEN = 'Another host has the room now. Joining it…';

/** The host to which the line is lost. `self`: the page was host itself, and is to follow the next one. */
export type LostHost = 'server' | 'player' | 'self';

/** @returns what is shown while the line to the host is lost. */
export function lostSentence(host: LostHost, isOnline: boolean): string {
  if (!isOnline) return LOST_OFFLINE;
  if (host === 'self') return GIVEN;
  return host === 'server' ? LOST_SERVER : LOST;
}

/** Shown while nobody new can come in; play is not disturbed. */
export const UNREACHABLE = 'New friends can’t join right now. You can keep playing.';
/** Told once they can again. */
export const REACHABLE = 'New friends can join again.';
/** [N9.11] Told when the site has got a newer version. */
export const NEW_VERSION = {
  host: 'This site has a new version. You can play on, but people who join or reload can’t get in until you reload, too.',
  guest:
    'This site has a new version. You can play on, but people who join or reload can’t get in until the host reloads, too.',
} as const;

/** Told to a host whose room could not move to the server [N3.4]. */
export const MOVE_SENTENCES = {
  offline: 'You are offline, so the room goes on in your browser.',
  'no broker': 'The server doesn’t answer, so the room goes on in your browser.',
  'too many rooms': 'The server takes no more rooms from your network now. This one goes on in your browser.',
  'no server room': 'The server can’t take this room now. It goes on in your browser.',
  'other version': 'This page and its site have different versions. The room goes on in your browser.',
  'did not come': 'The server didn’t join the room. It goes on in your browser.',
} as const;

/** Shown once to a host whose browser keeps nothing, as in a private window. */
export const NOT_KEPT = 'This browser won’t keep your cubes. Save them to a file in the menu.';

/** Shown at the end of a recording. */
export const RECORDING = {
  full: 'The recording is full, and has been saved.',
  saved: 'Saved.',
  failed: 'The recording didn’t start, because the host didn’t answer. Try again in a moment.',
} as const;

/** The names of the scenes on the screen. */
export const SCENE_TITLES: Readonly<Record<LevelId, string>> = {
  pile: 'Pile',
  tower: 'Tower',
  wall: 'Wall',
  pyramid: 'Pyramid',
  grid: 'Grid',
  playground: 'Playground',
  giants: 'Giants',
  workshop: 'Workshop',
};

/** The name of a level on the screen; its id if it is none of the game's. */
export function sceneTitle({ id }: Pick<LevelRecipe, 'id'>): string {
  return isLevelId(id) ? SCENE_TITLES[id] : id;
}

/** @returns the text of the button by which a server's guest wants a reset, or takes that back. */
export function resetLabel({ wishes, needed, isYours }: ResetPoll & { readonly isYours: boolean }): string {
  const deed = isYours ? 'Take it back' : 'Reset';
  return wishes > 0 ? `${deed} (${wishes} so far, ${needed} needed)` : deed;
}

/** @returns the question before a server's guest wants a reset. */
export function resetQuestion({ wishes, needed }: ResetPoll): string {
  return wishes + 1 < needed
    ? `Reset the scene? What you built is gone once ${needed} players want it.`
    : 'Reset the scene? What you built will be gone.';
}

/** @returns what a guest reads about the scene of its room. @param host the slot of the room's host. */
export function sceneForGuests(scene: string, host: Slot): string {
  const change = isPerson({ slot: host }) ? 'The host can change it.' : 'The server keeps it.';
  return `${sceneTitle({ id: scene })}. ${change}`;
}

/** @returns the letters of a code with spaces between them, so that a screen reader says them one by one. */
export function spelled(code: string): string {
  return code.split('').join(' ');
}

export const BACK_TO_LOBBY = 'Back to the lobby';
