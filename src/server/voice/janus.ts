import { WebSocket } from 'ws';
import type { Fields } from '../../core/room/fields.ts';
import { asFields, parseFields } from '../../core/room/fields.ts';
import { Backoff } from '../../transport/backoff.ts';

/**
 * A client of Janus, by its API over a WebSocket (https://janus.conf.meetecho.com/docs/rest.html). Meetecho's own
 * client for Node, Janode, needs a compiler where it is installed.
 */

/** Milliseconds between two keepalives: Janus forgets a session after 60 s. */
const KEEP_MS = 25_000;
/** Milliseconds that Janus has to answer. */
const ANSWER_MS = 5000;
/** Milliseconds after which a lost connection is tried again, the first time, and at most. */
const AGAIN_MS = 1000;
const MOST_AGAIN_MS = 30_000;
/** Unanswered messages in a row after which Janus counts as away, although it may still answer keepalives. */
const MOST_SILENT = 3;
/** Bytes of a message from Janus, at most. */
const MOST_BYTES = 1_048_576;

/** An SDP as Janus has it. */
export type Jsep = { readonly type: 'offer' | 'answer'; readonly sdp: string };

/** An answer of a plugin: its data, and an SDP if there is one. */
export type PluginEvent = { readonly data: Fields; readonly jsep: Jsep | null };

/** News of a handle. `up`: its media have begun. `over`: they have ended, or the handle is gone. */
export type HandleNews = 'up' | 'over';

/** The address of Janus, and the secret of its API; null if it has none. */
export type JanusSettings = { readonly url: string; readonly secret: string | null };

type Waiting = { readonly settle: (message: Fields | null) => void; readonly takesAck: boolean };

/** The first letter of transactions that end with an event; all others end with an acknowledgement. */
const EVENTS = 'e';
/** The first letter of transactions that ask for a handle: a handle that comes too late is given back. */
const ATTACHES = 'a';

/** The connection to Janus, and one session there. It connects again by itself. */
export class Janus {
  readonly #settings: JanusSettings;
  readonly #lost: () => void;
  readonly #waiting = new Map<string, Waiting>();
  readonly #handles = new Map<number, (news: HandleNews) => void>();
  #socket: WebSocket | null = null;
  #session: number | null = null;
  #transactions = 0;
  readonly #backoff = new Backoff(AGAIN_MS, MOST_AGAIN_MS);
  /** Messages to plugins in a row that were not answered. */
  #silent = 0;
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  /** Begins to connect. @param lost is called when the session has ended, and with it all handles. */
  constructor(settings: JanusSettings, lost: () => void) {
    this.#settings = settings;
    this.#lost = lost;
    this.#connect();
  }

  /** True while there is a session. */
  get isOpen(): boolean {
    return this.#session !== null;
  }

  /** A handle at the plugin with this name; null if Janus does not give one. @param heard gets its news. */
  async attach(plugin: string, heard: (news: HandleNews) => void): Promise<number | null> {
    const answer = await this.#ask({ janus: 'attach', plugin }, ATTACHES);
    const handle = idIn(answer);
    if (handle !== null) this.#handles.set(handle, heard);
    return handle;
  }

  /** Gives a handle up, and whatever it does. */
  detach(handle: number): void {
    this.#handles.delete(handle);
    void this.#ask({ janus: 'detach', handle_id: handle });
  }

  /** Asks the plugin of a handle; null if it does not answer. Never rejects. */
  async message(handle: number, body: Fields, jsep: Jsep | null = null): Promise<PluginEvent | null> {
    const offer = jsep === null ? {} : { jsep };
    const answer = await this.#ask({ janus: 'message', handle_id: handle, body, ...offer }, EVENTS);
    this.#silent = answer === null ? this.#silent + 1 : 0;
    if (this.#silent >= MOST_SILENT) this.#socket?.terminate();
    const data = asFields(asFields(answer?.plugindata)?.data);
    return data && { data, jsep: jsepOf(answer?.jsep) };
  }

  /** Ends the session for good. */
  stop(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    this.#socket?.terminate();
  }

  #connect(): void {
    const socket = new WebSocket(this.#settings.url, 'janus-protocol', {
      maxPayload: MOST_BYTES,
      handshakeTimeout: ANSWER_MS,
    });
    this.#socket = socket;
    socket.on('error', () => undefined);
    socket.on('open', () => void this.#begin(socket));
    socket.on('message', (data: Buffer) => this.#take(data.toString()));
    socket.on('close', () => this.#closed());
  }

  async #begin(socket: WebSocket): Promise<void> {
    const session = idIn(await this.#ask({ janus: 'create' }));
    if (session === null) {
      socket.close();
      return;
    }
    this.#session = session;
    this.#backoff.reset();
    this.#timer = setInterval(() => void this.#keep(socket), KEEP_MS);
  }

  async #keep(socket: WebSocket): Promise<void> {
    if ((await this.#ask({ janus: 'keepalive' })) === null) socket.terminate();
  }

  #closed(): void {
    clearTimeout(this.#timer);
    const had = this.#session !== null;
    this.#silent = 0;
    this.#session = null;
    this.#handles.clear();
    for (const { settle } of [...this.#waiting.values()]) settle(null);
    if (had) this.#lost();
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => this.#connect(), this.#backoff.next());
  }

  /** @param kind how the transaction's name begins. */
  #ask(request: Fields, kind = ''): Promise<Fields | null> {
    const socket = this.#socket;
    if (socket?.readyState !== WebSocket.OPEN) return Promise.resolve(null);
    const { secret } = this.#settings;
    const transaction = `${kind}${++this.#transactions}`;
    const session = this.#session === null ? {} : { session_id: this.#session };
    const apisecret = secret === null ? {} : { apisecret: secret };
    return new Promise((resolve) => {
      const settle = (message: Fields | null): void => {
        clearTimeout(timer);
        this.#waiting.delete(transaction);
        resolve(message);
      };
      const timer = setTimeout(() => settle(null), ANSWER_MS);
      this.#waiting.set(transaction, { settle, takesAck: kind !== EVENTS });
      socket.send(JSON.stringify({ ...request, ...session, ...apisecret, transaction }));
    });
  }

  #take(text: string): void {
    const message = parseFields(text, MOST_BYTES);
    if (message === null) return;
    const { janus, transaction, sender } = message;
    const waiting = this.#waiting.get(String(transaction));
    if (waiting !== undefined && (janus !== 'ack' || waiting.takesAck))
      waiting.settle(janus === 'error' ? null : message);
    else if (waiting === undefined && janus === 'success' && String(transaction).startsWith(ATTACHES))
      this.detach(idIn(message) ?? 0);
    if (janus === 'timeout') this.#socket?.terminate();
    if (typeof sender !== 'number') return;
    if (janus === 'webrtcup') this.#handles.get(sender)?.('up');
    if (janus === 'hangup' || janus === 'detached') this.#handles.get(sender)?.('over');
  }
}

/** The id of what was created; null if it was not. */
function idIn(answer: Fields | null): number | null {
  const id = asFields(answer?.data)?.id;
  return typeof id === 'number' ? id : null;
}

function jsepOf(value: unknown): Jsep | null {
  const jsep = asFields(value);
  const { type, sdp } = jsep ?? {};
  return (type === 'offer' || type === 'answer') && typeof sdp === 'string' ? { type, sdp } : null;
}
