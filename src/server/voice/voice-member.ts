import type { VoiceNews, VoiceRequest } from '../../transport/socket/voice-messages.ts';
import type { Fields } from '../../core/room/fields.ts';
import { asFields } from '../../core/room/fields.ts';
import type { Janus, PluginEvent } from './janus.ts';
import { isTaken } from './page-sdp.ts';

/** The plugin of Janus that passes media on without mixing them. */
export const VIDEO_ROOM = 'janus.plugin.videoroom';

/** Milliseconds that a page has to answer an offer. */
const ANSWER_MS = 10_000;
/** Milliseconds after which a member asks Janus again if it has refused the voices: one of them may just have gone. */
const AGAIN_MS = 300;
/** Requests of a page that may wait. */
const MOST_WAITING = 8;
/** Janus' error for a room that it does not have. */
const NO_SUCH_ROOM = 426;

/** Janus' number of one voice in a room; a page that speaks anew has another one. */
export type Feed = number;

/** The part of Janus that members need. */
export type VoiceServer = Pick<Janus, 'attach' | 'detach' | 'message'>;

/** The room of a member, as the member sees it. */
export type MemberRoom = {
  readonly janus: VoiceServer;
  /** The room's number at Janus, once it is made; null if Janus does not make it. Never rejects. */
  readonly made: Promise<number | null>;
  nextFeed(): Feed;
  /** The voices that a member hears, and the pages that speak. */
  voicesFor(member: VoiceMember): ReadonlyMap<Feed, string>;
  /** Somebody has begun to speak, or speaks no more. */
  changed(): void;
  /** Janus does not have the room any more. */
  lost(): void;
};

/** A member's way to its page. */
export type MemberPage = {
  readonly id: string;
  send(news: VoiceNews): void;
  /** Ends the member: the page may come again. */
  end(): void;
};

/** One page of a large room at Janus: its own voice, and those that it hears. */
export class VoiceMember {
  readonly page: MemberPage;
  readonly #room: MemberRoom;
  #speaker: { readonly handle: number; readonly feed: Feed; isUp: boolean } | null = null;
  #listener: number | null = null;
  /** The listener is in the room. */
  #hasJoined = false;
  #heard: readonly Feed[] = [];
  /** Ends the member if its page does not answer; undefined while no offer waits for an answer. */
  #answerDue: NodeJS.Timeout | undefined;
  /** Looks at the voices again; undefined unless Janus has just refused them. */
  #again: NodeJS.Timeout | undefined;
  #last = Promise.resolve();
  #waiting = 0;
  #looksSoon = false;
  #isOver = false;

  constructor(room: MemberRoom, page: MemberPage) {
    this.#room = room;
    this.page = page;
  }

  /** The number of its voice; null while nothing of it comes. */
  get feed(): Feed | null {
    return this.#speaker?.isUp === true ? this.#speaker.feed : null;
  }

  /** True while it hears somebody. */
  get isListening(): boolean {
    return this.#heard.length > 0;
  }

  /** Does what the page wants, one thing after another. */
  take(request: VoiceRequest): void {
    switch (request.kind) {
      case 'speak':
        this.#then(() => this.#speak(request.sdp));
        break;
      case 'hush':
        this.#then(() => this.#hush());
        break;
      case 'listen':
        this.#then(() => this.#listen(request.sdp));
        break;
    }
  }

  /** Looks soon who speaks now. If a class begins to speak at once, that is one look. */
  refresh(): void {
    if (this.#looksSoon) return;
    this.#looksSoon = true;
    this.#then(() => {
      this.#looksSoon = false;
      return this.#offer();
    });
  }

  /** Gives up everything at Janus. */
  dispose(): void {
    this.#isOver = true;
    clearTimeout(this.#answerDue);
    clearTimeout(this.#again);
    this.#hush();
    this.#stopListening();
  }

  /** Bounds what waits: a page that asks faster than Janus answers is ended. */
  #then(act: () => Promise<void> | void): void {
    if (this.#isOver) return;
    if (this.#waiting >= MOST_WAITING) {
      this.page.end();
      return;
    }
    this.#waiting++;
    this.#last = this.#last.then(async () => {
      this.#waiting--;
      if (!this.#isOver) await act();
    });
  }

  async #speak(sdp: string): Promise<void> {
    this.#hush();
    const { janus, made } = this.#room;
    const room = await made;
    // If the room was not made, it ends its members itself.
    if (room === null || this.#isOver) return;
    const feed = this.#room.nextFeed();
    const handle = await this.#attach((news) => {
      if (this.#speaker?.feed !== feed) return;
      if (news === 'over') this.#hush();
      else if (!this.#speaker.isUp) {
        this.#speaker.isUp = true;
        this.#room.changed();
      }
    });
    if (handle === null) return;
    this.#speaker = { handle, feed, isUp: false };
    const body = { request: 'joinandconfigure', ptype: 'publisher', room, id: feed };
    const answer = await janus.message(handle, body, { type: 'offer', sdp });
    // It has left meanwhile, or its media have broken.
    if (this.#speaker?.feed !== feed) return;
    if (answer?.jsep?.type === 'answer' && isTaken(answer.jsep.sdp))
      this.page.send({ kind: 'speaking', sdp: answer.jsep.sdp });
    else if (answer?.data.error_code === NO_SUCH_ROOM) this.#room.lost();
    else this.page.end();
  }

  /** A handle at Janus; null if there is none, or if the member has left meanwhile. */
  async #attach(heard: (news: 'up' | 'over') => void): Promise<number | null> {
    const { janus } = this.#room;
    const handle = await janus.attach(VIDEO_ROOM, heard);
    if (handle === null) this.page.end();
    else if (this.#isOver) janus.detach(handle);
    return this.#isOver ? null : handle;
  }

  #hush(): void {
    if (this.#speaker === null) return;
    const { handle, isUp } = this.#speaker;
    this.#speaker = null;
    this.#room.janus.detach(handle);
    if (isUp) this.#room.changed();
  }

  /** Offers the page the voices that it should hear now, unless it has not answered the last offer yet. */
  async #offer(): Promise<void> {
    if (this.#answerDue !== undefined) return;
    const voices = this.#room.voicesFor(this);
    const news = [...voices.keys()].filter((feed) => !this.#heard.includes(feed));
    const gone = this.#heard.filter((feed) => !voices.has(feed));
    if (news.length === 0 && gone.length === 0) {
      this.#endLooking();
      return;
    }
    const room = await this.#room.made;
    if (room === null || this.#isOver) return;
    const event = await this.#subscribe(room, news, gone);
    if (this.#isOver) return;
    if (event === null) this.page.end();
    else if (event.data.error_code === NO_SUCH_ROOM) this.#room.lost();
    else if (event.data.error_code !== undefined) this.#lookAgain();
    else {
      this.#endLooking();
      this.#heard = [...this.#heard.filter((feed) => !gone.includes(feed)), ...news];
      this.#sendOffer(event, voices);
    }
  }

  /** The last refusal counts no more. */
  #endLooking(): void {
    clearTimeout(this.#again);
    this.#again = undefined;
  }

  /** Janus refuses all voices if one of them has gone, which the room may not know yet. */
  #lookAgain(): void {
    if (this.#again !== undefined) {
      this.page.end();
      return;
    }
    this.#again = setTimeout(() => this.refresh(), AGAIN_MS);
  }

  /** @returns null if Janus does not answer. */
  async #subscribe(room: number, news: readonly Feed[], gone: readonly Feed[]): Promise<PluginEvent | null> {
    const { janus } = this.#room;
    const streams = news.map((feed) => ({ feed }));
    const unsubscribe = gone.map((feed) => ({ feed }));
    if (this.#listener !== null && this.#hasJoined) {
      const body = {
        request: 'update',
        ...(streams.length > 0 && { subscribe: streams }),
        ...(unsubscribe.length > 0 && { unsubscribe }),
      };
      return janus.message(this.#listener, body);
    }
    // When its media have broken, the page connects again.
    this.#listener ??= await this.#attach((event) => {
      if (event === 'over') this.page.end();
    });
    if (this.#listener === null) return null;
    const body = { request: 'join', ptype: 'subscriber', room, streams, autoupdate: false };
    const event = await janus.message(this.#listener, body);
    this.#hasJoined = event !== null && event.data.error_code === undefined;
    return event;
  }

  #sendOffer({ data, jsep }: PluginEvent, voices: ReadonlyMap<Feed, string>): void {
    // Nothing has changed for the page.
    if (jsep?.type !== 'offer') return;
    const pages: Record<string, string> = {};
    for (const { mid, feed } of linesIn(data)) {
      const page = voices.get(feed);
      if (page !== undefined) pages[mid] = page;
    }
    this.#answerDue = setTimeout(() => this.page.end(), ANSWER_MS);
    this.page.send({ kind: 'voices', sdp: jsep.sdp, pages });
  }

  async #listen(sdp: string): Promise<void> {
    if (this.#listener === null || this.#answerDue === undefined) return;
    clearTimeout(this.#answerDue);
    this.#answerDue = undefined;
    const started = await this.#room.janus.message(
      this.#listener,
      { request: 'start' },
      { type: 'answer', sdp },
    );
    if (this.#isOver) return;
    if (started === null || started.data.error_code !== undefined) this.page.end();
    else await this.#offer();
  }

  #stopListening(): void {
    if (this.#listener !== null) this.#room.janus.detach(this.#listener);
    this.#listener = null;
    this.#heard = [];
  }
}

/** The lines of a subscription that have a voice now. */
function* linesIn(data: Fields): Generator<{ readonly mid: string; readonly feed: Feed }> {
  if (!Array.isArray(data.streams)) return;
  for (const stream of data.streams) {
    const { mid, feed_id: feed, active } = asFields(stream) ?? {};
    if (typeof mid === 'string' && typeof feed === 'number' && active === true) yield { mid, feed };
  }
}
