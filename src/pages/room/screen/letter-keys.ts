/**
 * Listens to keys of a room, besides those of the hands and the menu, until `signal` is aborted; not while the player
 * types.
 * @param deeds what each key does, by KeyboardEvent's `key` in lower case.
 */
export function listenToLetters(signal: AbortSignal, deeds: Readonly<Record<string, () => void>>): void {
  window.addEventListener(
    'keydown',
    (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return;
      const { target } = event;
      const isTaken =
        target instanceof HTMLElement && target.matches('input, select, textarea, [role=dialog] *');
      const key = event.key.toLowerCase();
      if (isTaken || !Object.hasOwn(deeds, key)) return;
      deeds[key]();
      event.preventDefault();
    },
    { signal },
  );
}
