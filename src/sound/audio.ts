/**
 * The page's only audio context, while anything uses it: each context costs a thread, and phones allow few.
 * Browsers keep it silent until the player has touched the page. iOS also stops it during a telephone call or
 * in the background ("interrupted"). So every touch, click and key resumes it.
 */
type Audio = {
  readonly context: AudioContext;
  readonly listening: AbortController;
  users: number;
  /** On the clock of `performance.now`; NaN while it runs. */
  stoppedAt: number;
};

/** Events that count as a player's gesture in one browser or another. */
const GESTURES = ['pointerdown', 'pointerup', 'touchend', 'click', 'keydown'] as const;
/**
 * Milliseconds that a context may need to start if it is allowed to; only after that does it count as
 * blocked.
 */
const STARTING_MS = 500;

let audio: Audio | undefined;

/** Returns the shared context. Each call needs one later call of `closeAudio`. */
export function openAudio(): AudioContext {
  audio ??= startAudio();
  audio.users++;
  resumeAudio();
  return audio.context;
}

/** Ends one use of the context; the last call closes it. */
export function closeAudio(): void {
  if (audio === undefined) throw new Error('Audio was closed more often than opened.');
  if (--audio.users > 0) return;
  audio.listening.abort();
  void audio.context.close();
  audio = undefined;
}

/**
 * Starts a context that the browser has stopped, if the browser allows it; otherwise the player's next touch,
 * click or key does.
 */
export function resumeAudio(): void {
  // A refusal needs no handling: `state` shows it, and the next gesture tries again.
  if (audio !== undefined && audio.context.state !== 'running') audio.context.resume().catch(() => undefined);
}

/** Returns true if the browser keeps the page silent until the player touches it. */
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
