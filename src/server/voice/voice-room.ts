import { createHash } from 'node:crypto';
import { MAX_SERVER_ROOM_PLAYERS } from '../../core/base/constants.ts';
import type { RoomCode } from '../../core/room/code.ts';
import type { Janus } from './janus.ts';
import type { Feed, MemberPage, MemberRoom } from './voice-member.ts';
import { VIDEO_ROOM, VoiceMember } from './voice-member.ts';

/** Janus' error for a room that is there already. */
const IS_THERE = 427;
/** Bytes of a room's number: Janus reads it as a number of JSON. */
const NUMBER_BYTES = 6;

/** The voices of one large room: a room of Janus' VideoRoom plugin. */
export class VoiceRoom implements MemberRoom {
  readonly janus: Janus;
  readonly made: Promise<number | null>;
  readonly #members = new Set<VoiceMember>();
  #control: number | null = null;
  #feeds = 0;

  constructor(janus: Janus, code: RoomCode) {
    this.janus = janus;
    this.made = this.#make(numberOf(code));
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

  /** A member has left. */
  remove(member: VoiceMember): void {
    if (this.#members.delete(member)) member.dispose();
  }

  /** Ends the room at Janus; nobody may be in it. */
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

  /** A room of a process that has died may still be there. */
  async #make(room: number): Promise<number | null> {
    const control = await this.janus.attach(VIDEO_ROOM, () => undefined);
    this.#control = control;
    if (control === null) return null;
    const create = {
      request: 'create',
      room,
      is_private: true,
      publishers: MAX_SERVER_ROOM_PLAYERS,
      audiocodec: 'opus',
      opus_fec: true,
      opus_dtx: true,
    };
    let made = await this.janus.message(control, create);
    if (made?.data.error_code === IS_THERE) {
      await this.janus.message(control, { request: 'destroy', room });
      made = await this.janus.message(control, create);
    }
    return made?.data.videoroom === 'created' ? room : null;
  }
}

/** The same for every process of a site, so that a room that moves between them finds what is left of it. */
function numberOf(code: RoomCode): number {
  return createHash('sha256').update(code).digest().readUIntBE(0, NUMBER_BYTES);
}
