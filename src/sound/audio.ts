/**
 * The page's one audio context, for as long as somebody uses it: each costs a thread, and phones allow few.
 * Browsers keep it silent until the player has touched the page; iOS also stops it for a telephone call or in
 * the background ("interrupted"). So every touch, click and key resumes what does not run.
 */
type Audio = {
  readonly context: AudioContext;
  readonly listening: AbortController;
  users: number;
  /** On the clock of `performance.now`; NaN while it runs. */
  stoppedAt: number;
};

/** The events by which one browser or another takes it that a player is there. */
const GESTURES = ['pointerdown', 'pointerup', 'touchend', 'click', 'keydown'] as const;
/** Milliseconds that a context may take to start where it is allowed to; only after that is it called blocked. */
const STARTING_MS = 500;

let audio: Audio | undefined;

/** Whoever opens it closes it again, once. */
export function openAudio(): AudioContext {
  audio ??= startAudio();
  audio.users++;
  resumeAudio();
  return audio.context;
}

/** When the last who uses it closes it, it ends. */
export function closeAudio(): void {
  if (audio === undefined) throw new Error('Audio was closed more often than opened.');
  if (--audio.users > 0) return;
  audio.listening.abort();
  void audio.context.close();
  audio = undefined;
}

/** Starts what the browser has stopped, if it lets us; otherwise the player's next touch, click or key does. */
export function resumeAudio(): void {
  // A refusal is no news: `state` tells, and the next gesture asks again.
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
