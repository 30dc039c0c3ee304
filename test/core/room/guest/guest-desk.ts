import { expect } from 'vitest';
import { TICK_MS } from '../../../../src/core/base/constants.ts';
import type { GuestEffect, GuestRoomOptions } from '../../../../src/core/room/guest/guest-options.ts';
import { GuestRoom } from '../../../../src/core/room/guest/guest-room.ts';
import type { GuestMessage, HostMessage, Welcome } from '../../../../src/core/room/messages.ts';
import { readGuestMessage, writeMessage } from '../../../../src/core/room/messages.ts';
import type { LineId } from '../../../../src/core/room/line.ts';
import { keyOf, signatureOf } from '../../../support/keys.ts';
import { connection, LINEAGE, ROSTER, slot } from '../samples.ts';
import { newProfile } from '../../../../src/core/room/profile.ts';
import { chooseLevel, gameLevels } from '../../../../src/levels/levels.ts';

export const WELCOME: Welcome = {
  kind: 'welcome',
  slot: slot(2),
  connection: connection(7),
  goesOn: true,
  term: 0,
  lineage: LINEAGE,
  door: 'the door',
  home: null,
  level: chooseLevel({ id: 'pile', seed: 1 }),
  roster: ROSTER,
};
/** [P1] The guest's own key, as the roster has it. */
const KEY = keyOf('Ada');

/** A GuestRoom by itself: its lines are numbers, and a packet of the host comes in every tick unless the host is silent. */
export class GuestDesk {
  readonly room: GuestRoom;
  readonly effects: GuestEffect[] = [];
  isSilent = false;
  now = 0;

  constructor(options: Partial<GuestRoomOptions> = {}) {
    this.room = new GuestRoom({
      profile: newProfile('Ada'),
      levels: gameLevels,
      colour: null,
      returns: false,
      room: null,
      ...options,
    });
  }

  /** Collects the effects, and signs what is to be signed. */
  #gather(): void {
    this.room.drain((effect) => {
      if (effect.kind === 'sign') this.room.signed(effect.text, signatureOf(KEY, effect.text));
      else this.effects.push(effect);
    });
  }

  /** The effects since the last call, as words; those that ask for a signature are answered and left out. */
  done(): string[] {
    this.#gather();
    return this.effects.splice(0).map((effect) => {
      const said = effect.kind === 'send' ? ` ${readGuestMessage(effect.text)?.kind}` : '';
      const onward = effect.kind === 'enter' && effect.goesOn ? ' going on' : '';
      return effect.kind + said + ('line' in effect ? ` on ${effect.line}` : '') + onward;
    });
  }

  /** The last message that was sent; null if there is none. */
  lastSent(): GuestMessage | null {
    this.#gather();
    const last = this.effects.findLast((effect) => effect.kind === 'send');
    return last === undefined ? null : readGuestMessage(last.text);
  }

  receive(line: number, message: HostMessage): void {
    this.room.receive(line as LineId, writeMessage(message));
  }

  opened(line: number): void {
    this.room.attemptOpened(line as LineId);
  }

  closed(line: number): void {
    this.room.lineClosed(line as LineId);
  }

  run(ms: number): void {
    for (const end = this.now + ms; this.now < end;) {
      this.now += Math.min(TICK_MS, end - this.now);
      this.room.tick(this.now, this.isSilent ? -Infinity : this.now);
    }
  }

  get status(): string {
    const { status } = this.room;
    return status.kind === 'ended' ? `ended: ${status.why}` : status.kind;
  }

  /** A guest in the room, on line 1. */
  static inside(options: Partial<GuestRoomOptions> = {}): GuestDesk {
    const desk = new GuestDesk(options);
    desk.opened(1);
    desk.receive(1, WELCOME);
    desk.run(100);
    desk.done();
    return desk;
  }

  /** A guest in the room whose line has gone silent, and that has just asked for line 2. */
  static silenced(): GuestDesk {
    const desk = GuestDesk.inside();
    desk.isSilent = true;
    desk.run(3100);
    expect(desk.done()).toEqual(['open']);
    return desk;
  }
}
