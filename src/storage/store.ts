/**
 * Texts by key, stored by the browser. A browser may refuse to store a text (in a private window, or when it
 * is full). That is not an error: the text is then kept until the page closes.
 */
export type Store = {
  /** Returns null if there is no such text. */
  read(key: string): string | null;
  /** Null deletes the text. */
  write(key: string, text: string | null): void;
};

/**
 * Creates a store.
 * @param storage null if the browser gives none.
 */
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

/** Returns true if the browser stored it. */
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
/** Returns what this browser stores for this site, shared by all its tabs. */
export function localStore(): Store {
  local ??= createStore(given(() => window.localStorage));
  return local;
}

let session: Store | undefined;
/** Returns what this tab stores; it survives a reload. */
export function sessionStore(): Store {
  session ??= createStore(given(() => window.sessionStorage));
  return session;
}

/** In some browsers even the access to the storage throws. */
function given(storage: () => Storage): Storage | null {
  try {
    return storage();
  } catch {
    return null;
  }
}

/**
 * Returns the object stored as JSON under this key; null if there is none, or if it is not an object. Never
 * throws.
 */
export function readFields(store: Store, key: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(store.read(key) ?? 'null');
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : null;
  } catch {
    return null;
  }
}
