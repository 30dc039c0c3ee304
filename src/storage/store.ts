/**
 * Texts by key, as a browser keeps them. A browser that refuses (in a private window, or when it is full)
 * is no failure of ours: what it does not take lasts for as long as the page does.
 */
export type Store = {
  /** Null if there is none. */
  read(key: string): string | null;
  /** Null takes it away. */
  write(key: string, text: string | null): void;
};

/** @param storage null: the browser gives none. */
export function createStore(storage: Storage | null): Store {
  const refused = new Map<string, string | null>();
  return {
    read(key) {
      const text = refused.get(key);
      return text === undefined ? readFrom(storage, key) : text;
    },
    write(key, text) {
      if (writeTo(storage, key, text)) refused.delete(key);
      else refused.set(key, text);
    },
  };
}

function readFrom(storage: Storage | null, key: string): string | null {
  try {
    return storage?.getItem(key) ?? null;
  } catch {
    return null;
  }
}

/** True if it was taken. */
function writeTo(storage: Storage | null, key: string, text: string | null): boolean {
  if (storage === null) return false;
  try {
    if (text === null) storage.removeItem(key);
    else storage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

let local: Store | undefined;
/** What this browser keeps for this site, in all its tabs. */
export function localStore(): Store {
  local ??= createStore(given(() => window.localStorage));
  return local;
}

let session: Store | undefined;
/** What this tab keeps, when it is reloaded too. */
export function sessionStore(): Store {
  session ??= createStore(given(() => window.sessionStorage));
  return session;
}

/** A browser may refuse to name its storage at all. */
function given(storage: () => Storage): Storage | null {
  try {
    return storage();
  } catch {
    return null;
  }
}

/** An object written as JSON under this key; null if there is none, or something else. Never throws. */
export function readFields(store: Store, key: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(store.read(key) ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
