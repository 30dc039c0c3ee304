import { TICK_MS } from '../../../../src/core/base/constants.ts';
import type { Slot } from '../../../../src/core/base/ids.ts';
import type { PublicKey } from '../../../../src/core/room/identity/key.ts';
import type { Lineage } from '../../../../src/core/room/identity/lineage.ts';
import { extended, newLineage } from '../../../../src/core/room/identity/lineage.ts';
import { nextTerm } from '../../../../src/core/room/term.ts';
import type { HostEffect, HostRoomOptions } from '../../../../src/core/room/host/host-options.ts';
import { HostRoom } from '../../../../src/core/room/host/host-room.ts';
import type {
  GuestMessage,
  HostMessage,
  Join,
  Presence,
  Welcome,
} from '../../../../src/core/room/messages.ts';
import { readHostMessage, writeMessage } from '../../../../src/core/room/messages.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import type { Other } from '../../../../src/core/room/identity/authenticated-lines.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { JOIN, ROSTER, SIGNATURE, slot } from '../samples.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';
import { chooseLevel } from '../../../../src/levels/levels.ts';

/** [P1] The host's own key. */
export const HOST_KEY = keyOf('Host');
/** The key of Ada. */
export const FORMER_HOST = keyOf('Ada');

/** A HostRoom by itself: its lines are numbers, and a packet of each guest comes in every tick unless its slot is in `silent`. */
export class HostDesk {
  readonly room: HostRoom;
  readonly effects: HostEffect[] = [];
  readonly silent = new Set<Slot>();
  /** Texts that were signed, in order. */
  readonly signed: string[] = [];
  roundTripMs = 0;
  now = 0;
  #secrets = 0;

  constructor(options: Partial<HostRoomOptions> = {}) {
    const level = chooseLevel({ id: 'pile', seed: 1 });
    const secret = (): string => `secret ${++this.#secrets}`;
    this.room = new HostRoom({
      slot: slot(0),
      profile: newProfile('Host'),
      id: 'host',
      key: HOST_KEY,
      level,
      capacity: 4,
      secret,
      ...options,
    });
  }

  run(ms: number): void {
    for (const end = this.now + ms; this.now < end;) {
      this.now += Math.min(TICK_MS, end - this.now);
      this.tick();
    }
  }

  tick(): void {
    this.room.tick(this.now, {
      lastPacketMs: (of) => (this.silent.has(of) ? -Infinity : this.now),
      roundTripMs: () => this.roundTripMs,
    });
    this.gather();
  }

  /** Collects the effects, and signs what is to be signed. */
  gather(): void {
    this.room.drain((effect) => {
      this.effects.push(effect);
      if (effect.kind !== 'sign') return;
      this.signed.push(effect.text);
      this.room.signed(effect.text, signatureOf(HOST_KEY, effect.text));
    });
  }

  /** The page does nothing for `ms` milliseconds. */
  stall(ms: number): void {
    this.now += ms;
    this.tick();
  }

  send(line: number, message: GuestMessage): void {
    this.room.receive(line as LineId, writeMessage(message));
  }

  /** A page has opened a line, and has proved who it is: unless `who` says otherwise, a player of its own. */
  open(line: number, who: Partial<Other> = {}): void {
    const { page = `page ${line}` } = who;
    this.room.lineOpened(line as LineId, { page, key: who.key ?? keyOf(page) });
  }

  /** A page opens a line and asks to come in. @returns the welcome or the refusal. */
  greet(line: number, join: Partial<Join> = {}, who: Partial<Other> = {}): HostMessage | undefined {
    this.open(line, who);
    this.send(line, { ...JOIN, colour: null, keeps: null, ...join });
    this.tick();
    // The signed roster goes out, too.
    this.tick();
    return this.sent(line).find(({ kind }) => kind === 'welcome' || kind === 'refuse');
  }

  /** The same for a page that must get in. */
  admit(line: number, join: Partial<Join> = {}, who: Partial<Other> = {}): Welcome {
    const answer = this.greet(line, join, who);
    if (answer?.kind !== 'welcome') throw new Error(`line ${line} was answered ${JSON.stringify(answer)}`);
    return answer;
  }

  /** All messages that were sent on a line since the last call; each must be readable. */
  sent(line: number): HostMessage[] {
    const mine = this.effects.filter((effect) => effect.kind === 'send' && effect.line === line);
    this.effects.splice(0, this.effects.length, ...this.effects.filter((effect) => !mine.includes(effect)));
    return mine.map((effect) => {
      const message = effect.kind === 'send' ? readHostMessage(effect.text) : null;
      if (message === null) throw new Error(`the host sends ${JSON.stringify(effect)}`);
      return message;
    });
  }

  /** The other effects, apart from signatures, since the last call, as words. */
  done(): string[] {
    return this.effects.splice(0).flatMap((effect) => {
      if (effect.kind === 'send' || effect.kind === 'sign') return [];
      const place = 'slot' in effect ? ` ${effect.slot}` : '';
      return [`${effect.kind}${place}${'line' in effect ? ` on ${effect.line}` : ''}`];
    });
  }

  presence(of: number): Presence | undefined {
    return this.room.roster.players.find((player) => player.slot === slot(of))?.presence;
  }
}

/** True if a host steps down after a page says that the room is with it. */
export function stepsDown(desk: HostDesk, lineage: Lineage, key: PublicKey): boolean {
  desk.open(9, { key });
  desk.send(9, { kind: 'elsewhere', lineage });
  desk.tick();
  return desk.room.rivals.goesOnIn !== null;
}

/** A player is host of the desk's room after it, in slot 1. */
export function afterPlayer(key: PublicKey, { room }: HostDesk): Lineage {
  const { lineage, term } = room.tenure;
  return extended(lineage, {
    kind: 'handover',
    term: nextTerm(term, slot(1)),
    key,
    signature: SIGNATURE,
  });
}

/** Another player was host of the room before the desk's host, which went on without a majority. */
export function underFormerHost(): { desk: HostDesk; before: Lineage } {
  const before = newLineage(FORMER_HOST, 'a salt of Ada');
  const roster = { ...ROSTER, signature: SIGNATURE, electors: [] };
  const lineage = extended(before, { kind: 'alone', term: 15, key: HOST_KEY, roster });
  const players = [
    { ...ROSTER.players[0], slot: slot(1), key: FORMER_HOST },
    { ...ROSTER.players[1], slot: slot(0), key: HOST_KEY },
  ];
  const inherits = { ...ROSTER, locked: false, players };
  const desk = new HostDesk({ tenure: { term: 15, lineage, door: 'a door', home: null }, inherits });
  return { desk, before };
}

/** A host with one guest. */
export function withGuest(): HostDesk {
  const desk = new HostDesk();
  desk.admit(1);
  return desk;
}
