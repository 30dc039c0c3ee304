/**
 * The page's one audio context, for as long as somebody uses it: each costs a thread, and phones allow few.
 * Browsers keep it silent until the player has touched the page. iOS also stops it for a telephone call or in
 * the background ("interrupted"). So every touch, click and key resumes a stopped context.
 */
type Audio = {
  readonly context: AudioContext;
  readonly listening: AbortController;
  users: number;
  /** On the clock of `performance.now`; NaN while it runs. */
  stoppedAt: number;
};

/** The events that one browser or another accepts as a sign of the player. */
const GESTURES = ['pointerdown', 'pointerup', 'touchend', 'click', 'keydown'] as const;
/** Milliseconds that an allowed context may take to start. Only after that it counts as blocked. */
const STARTING_MS = 500;

let audio: Audio | undefined;

/** A use of the context. Its owner closes it once. */
export function openAudio(): AudioContext {
  audio ??= startAudio();
  audio.users++;
  resumeAudio();
  return audio.context;
}

/** The context ends when its last user closes it. */
export function closeAudio(): void {
  if (audio === undefined) throw new Error('Audio was closed more often than opened.');
  if (--audio.users > 0) return;
  audio.listening.abort();
  void audio.context.close();
  audio = undefined;
}

/** Starts a stopped context, if the browser lets us; otherwise the player's next touch, click or key does. */
export function resumeAudio(): void {
  // A refusal needs no message: `state` says it, and the next gesture tries again.
  if (audio !== undefined && audio.context.state !== 'running') audio.context.resume().catch(() => undefined);
}

/** The browser keeps the page silent until the player touches it. */
export function isAudioBlocked(): boolean {
  return audio !== undefined && performance.now() - audio.stoppedAt > STARTING_MS;
}

function startAudio(): Audio {
  const context = new AudioContext({ latencyHint: 'interactive' });
  const listening = new AbortController();
  const options = { signal: listening.signal, capture: true, passive: true };
  const started: Audio = { context, listening, users: 0, stoppedAt: performance.now() };
  context.addEventListener(
    'statechange',
    () => (started.stoppedAt = context.state === 'running' ? NaN : performance.now()),
    options,
  );
  for (const gesture of GESTURES) window.addEventListener(gesture, resumeAudio, options);
  document.addEventListener('visibilitychange', resumeAudio, options);
  return started;
}
