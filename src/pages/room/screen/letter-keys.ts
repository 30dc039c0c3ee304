/** The keys of a room, besides those of the hands and the menu. */
export type LetterKeys = {
  /** B or Home. */
  readonly onBack: () => void;
  /** V. */
  readonly onWave: () => void;
};

/** Listens to the keys until `signal` is aborted; not while the player types. */
export function listenToLetters(signal: AbortSignal, { onBack, onWave }: LetterKeys): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      const { target } = event;
      const isTaken =
        target instanceof HTMLElement && target.matches('input, select, textarea, [role=dialog] *');
      if (isTaken) return;
      const key = event.key.toLowerCase();
      if (key === 'b' || key === 'home') onBack();
      else if (key === 'v') onWave();
      else return;
      event.preventDefault();
    },
    { signal },
  );
}
