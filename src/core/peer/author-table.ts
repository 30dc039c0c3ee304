import type { Slot } from '../base/ids.ts';
import type { AuthorNews } from './outbox.ts';
import type { Link, PeerState } from './peer-state.ts';

/** Who stands in a packet's table: this peer, and on the host every guest but the receiver [T3]. */
export class AuthorTable {
  readonly #news: AuthorNews[];
  readonly #table: (AuthorNews | null)[];

  constructor(authors: PeerState['authors']) {
    this.#news = authors.map((author) => ({ tick: 0, avatar: author.avatar }));
    this.#table = authors.map(() => null);
  }

  /** The table of the next packet to a peer; valid until the next is asked for. Its news count as sent. */
  fill(peer: PeerState, to: Slot, link: Link, packet: number): readonly (AuthorNews | null)[] {
    let names = 0;
    for (let i = 0; i < this.#table.length; i++) {
      const slot = i as Slot;
      const author = peer.authors[slot];
      const own = slot === peer.self;
      const told = own || (peer.policy.isHost && slot !== to && author.newestTick >= 0);
      this.#table[slot] = told ? this.#news[slot] : null;
      if (!told) continue;
      const hasNews = author.avatarTime > link.avatarSent[slot];
      this.#news[slot].tick = author.newestTick;
      this.#news[slot].avatar = hasNews ? author.avatar : null;
      if (!hasNews) continue;
      link.avatarSent[slot] = author.avatarTime;
      const named = link.needsName(slot) && author.nameBytes.length > 0;
      author.avatar.name = named ? author.nameBytes : NO_NAME;
      if (named) names |= 1 << slot;
    }
    link.namesSent(packet, names);
    return this.#table;
  }
}

const NO_NAME = new Uint8Array(0);
