import { randomBytes } from 'node:crypto';
import { MAX_SERVER_ROOM_PLAYERS } from '../../core/base/constants.ts';
import type { Feed, MemberPage, MemberRoom, VoiceServer } from './voice-member.ts';
import { VIDEO_ROOM, VoiceMember } from './voice-member.ts';

/** Bytes of a room's number: Janus reads it as a number of JSON. No two rooms ever have the same. */
const NUMBER_BYTES = 6;

/** The voices of one large room: a room of Janus' VideoRoom plugin. */
export class VoiceRoom implements MemberRoom {
  readonly janus: VoiceServer;
  readonly made: Promise<number | null>;
  readonly lost: () => void;
  readonly #members = new Set<VoiceMember>();
  #control: number | null = null;
  #feeds = 0;

  /** @param lost is called if Janus does not make the room, or does not have it any more. */
  constructor(janus: VoiceServer, lost: () => void) {
    this.janus = janus;
    this.lost = lost;
    this.made = this.#make(randomBytes(NUMBER_BYTES).readUIntBE(0, NUMBER_BYTES));
  }

  /** The members that speak, and those that hear somebody. */
  get counts(): { readonly speakers: number; readonly listeners: number } {
    const members = [...this.#members];
    return {
      speakers: members.filter(({ feed }) => feed !== null).length,
      listeners: members.filter(({ isListening }) => isListening).length,
    };
  }

  /** True if nobody is in it. */
  get isEmpty(): boolean {
    return this.#members.size === 0;
  }

  /** Takes a page in. */
  add(page: MemberPage): VoiceMember {
    const member = new VoiceMember(this, page);
    this.#members.add(member);
    member.refresh();
    return member;
  }

  /** A member has left. @returns false if it had left before. */
  remove(member: VoiceMember): boolean {
    if (!this.#members.delete(member)) return false;
    member.dispose();
    return true;
  }

  /** Ends the room at Janus; nobody may be in it. Never rejects. */
  async dispose(): Promise<void> {
    const room = await this.made;
    if (this.#control === null) return;
    if (room !== null) await this.janus.message(this.#control, { request: 'destroy', room });
    this.janus.detach(this.#control);
  }

  nextFeed(): Feed {
    return ++this.#feeds;
  }

  voicesFor(member: VoiceMember): ReadonlyMap<Feed, string> {
    const voices = new Map<Feed, string>();
    for (const other of this.#members)
      if (other !== member && other.feed !== null) voices.set(other.feed, other.page.id);
    return voices;
  }

  changed(): void {
    for (const member of this.#members) member.refresh();
  }

  async #make(room: number): Promise<number | null> {
    this.#control = await this.janus.attach(VIDEO_ROOM, () => undefined);
    const made =
      this.#control === null
        ? null
        : await this.janus.message(this.#control, {
            request: 'create',
            room,
            is_private: true,
            publishers: MAX_SERVER_ROOM_PLAYERS,
            audiocodec: 'opus',
            opus_fec: true,
            opus_dtx: true,
          });
    if (made?.data.videoroom === 'created') return room;
    this.lost();
    return null;
  }
}
