import { describe, expect, onTestFinished, test } from 'vitest';
import type { BodyId, Slot } from '../../../../src/core/base/ids.ts';
import { receiveShared } from '../../../../src/core/peer/shared/receive-shared.ts';
import { entryOf } from '../../../../src/core/shared/layout.ts';
import { SharedPart } from '../../../../src/core/wire/shared/shared-part.ts';
import { TICK_MS } from '../../../../src/core/base/constants.ts';
import { playerInput } from '../../../../src/core/hands/hand-input.ts';
import type { LinkConditions } from '../../../../src/netsim/network-simulator.ts';
import type { SharedPlayer } from '../../../support/shared-room.ts';
import { SharedRoom } from '../../../support/shared-room.ts';

const CUBE = 1 as BodyId;
const [ADA, BEN] = [1 as Slot, 2 as Slot];

function setRoom(guests = 2, conditions: Partial<LinkConditions> = {}, slots = 4): SharedRoom {
  const room = new SharedRoom(slots, guests, conditions);
  onTestFinished(() => {
    room.referee.finish(room.peers);
    expect(room.referee.violations).toEqual([]);
    room.clearAway();
  });
  room.letPass(1);
  return room;
}

describe('who writes', () => {
  test('[V2.1] the host writes the room’s values, and a guest does not', () => {
    const room = setRoom();
    expect(room.player(0).shared.room.set('round', 7)).toBeNull();
    expect(room.player(ADA).shared.room.set('round', 8)).toBe('not the writer');
    room.letPass(0.5);
    for (const slot of [0, ADA, BEN]) expect(room.player(slot).shared.room.get('round')).toBe(7);
  });

  test('[V2.1] the host writes the values of bodies and players that the schema gives it', () => {
    const room = setRoom();
    expect(room.player(0).shared.bodies.set(CUBE, 'worth', 0.3)).toBeNull();
    expect(room.player(0).shared.players.set(ADA, 'score', -20)).toBeNull();
    expect(room.player(0).shared.players.set(3 as Slot, 'score', 1)).toBe('no player');
    expect(room.player(ADA).shared.players.set(ADA, 'score', 1000)).toBe('not the writer');
    room.letPass(0.5);
    expect(room.player(BEN).shared.bodies.get(CUBE, 'worth')).toBeCloseTo(0.3, 9);
    expect(room.player(BEN).shared.players.get(ADA, 'score')).toBe(-20);
  });

  test('[V2.2] who has a body writes its other values; the host, if nobody has it', () => {
    const room = setRoom();
    expect(room.player(ADA).shared.bodies.set(CUBE, 'label', 'mine')).toBe('not the writer');
    expect(room.player(0).shared.bodies.set(CUBE, 'label', 'whose')).toBeNull();
    room.takes(ADA, CUBE);
    room.letPass(0.5);
    expect(room.player(BEN).shared.bodies.get(CUBE, 'label')).toBe('whose');
    expect(room.player(ADA).shared.bodies.set(CUBE, 'label', 'mine')).toBeNull();
    expect(room.player(0).shared.bodies.set(CUBE, 'label', 'no')).toBe('not the writer');
    room.letPass(0.5);
    expect(room.player(BEN).shared.bodies.get(CUBE, 'label')).toBe('mine');
    expect(room.player(0).shared.bodies.get(CUBE, 'label')).toBe('mine');
  });

  test('[V2.3] a player writes its own other values, and nobody else’s', () => {
    const room = setRoom();
    expect(room.player(ADA).shared.players.set(ADA, 'ready', true)).toBeNull();
    expect(room.player(ADA).shared.players.set(BEN, 'ready', true)).toBe('not the writer');
    expect(room.player(0).shared.players.set(BEN, 'ready', true)).toBe('not the writer');
    room.letPass(0.5);
    expect(room.player(BEN).shared.players.get(ADA, 'ready')).toBe(true);
    expect(room.player(BEN).shared.players.get(BEN, 'ready')).toBe(false);
  });

  test('[V2.4] a write shows at once to its writer; one that comes too late is taken back', () => {
    const room = setRoom();
    room.takes(ADA, CUBE);
    room.letPass(0.5);
    const ada = room.player(ADA);
    // The host takes the body away while the write is on its way.
    room.player(0).peer.state.bodies.records.authority[CUBE] = 0;
    expect(ada.shared.bodies.set(CUBE, 'label', 'late')).toBeNull();
    expect(ada.shared.bodies.get(CUBE, 'label')).toBe('late');
    room.letPass(0.5);
    expect(ada.shared.bodies.get(CUBE, 'label')).toBe('');
    expect(room.player(0).peer.state.rejections.V2).toBeGreaterThan(0);
    expect(room.player(0).peer.offences(ADA)).toBe(0);
  });

  test('[V1.1] begins with initial values, of every kind', () => {
    const { shared } = setRoom().player(ADA);
    expect(shared.room.get('round')).toBe(1);
    expect(shared.room.get('mode')).toBe('calm');
    expect(shared.players.get(BEN, 'ready')).toBe(false);
    expect(shared.players.get(BEN, 'motto')).toBe('');
    expect(() => shared.players.get(99 as Slot, 'motto')).toThrow(new RangeError('There is no player 99.'));
    expect(() => shared.bodies.get(0.5 as BodyId, 'label')).toThrow(new RangeError('There is no body 0.5.'));
  });

  test('[V1.1] refuses what the schema does not allow, and rounds to a step', () => {
    const room = setRoom();
    const { shared } = room.player(0);
    expect(shared.room.set('round', 100)).toBe('bounds');
    expect(shared.room.set('round', Number.NaN)).toBe('bounds');
    expect(shared.bodies.set(9999 as BodyId, 'worth', 0)).toBe('no body');
    expect(shared.bodies.set(CUBE, 'worth', 0.5499)).toBeNull();
    expect(shared.bodies.get(CUBE, 'worth')).toBeCloseTo(0.5, 9);
    expect(shared.players.set(0 as Slot, 'motto', 'é'.repeat(30))).toBeNull();
    expect(shared.players.get(0 as Slot, 'motto')).toBe('é'.repeat(20));
    room.letPass(0.5);
  });
});

describe('how values travel', () => {
  test('[V3.1] [V3.3] all agree in spite of loss, reordering and duplicates', () => {
    const room = setRoom(2, { loss: 0.3, reorder: 0.2, reorderMs: 300, duplicate: 0.2, jitterMs: 80 });
    for (let round = 1; round < 60; round++) {
      room.player(0).shared.room.set('round', round);
      room.player(ADA).shared.players.set(ADA, 'ready', round % 2 === 0);
      room.player(ADA).shared.players.set(ADA, 'motto', `round ${round}`);
      room.letPass(0.05);
    }
    room.letPass(3);
    expect(room.player(BEN).shared.players.get(ADA, 'motto')).toBe('round 59');
    expect(room.player(BEN).shared.room.get('round')).toBe(59);
  });

  test('[V3.2] a word of the host from before a write does not undo it', () => {
    const room = setRoom(1);
    const { shared } = room.player(ADA);
    room.takes(ADA, CUBE);
    room.player(0).shared.bodies.set(CUBE, 'label', 'old');
    room.letPass(0.06);
    shared.bodies.set(CUBE, 'label', 'new');
    for (let tick = 0; tick < 60; tick++) {
      room.tick();
      expect(shared.bodies.get(CUBE, 'label')).toBe('new');
    }
    expect(room.player(0).shared.bodies.get(CUBE, 'label')).toBe('new');
  });

  test('[V3.2] nor does one that the ack of the write has overtaken', () => {
    const room = setRoom(1);
    room.takes(ADA, CUBE);
    room.letPass(0.5);
    const [host, ada] = [room.player(0).peer.state, room.player(ADA).peer.state];
    const link = ada.links[0];
    if (link?.shared === null || link === null || ada.shared === null) throw new Error('no link');
    const { layout, store } = ada.shared;
    const group = layout.groups.find(({ writer }) => writer === 'authority');
    if (group === undefined) throw new Error('no such group');
    const entry = entryOf(group, CUBE);
    const before = link.acks.newestReceived;
    room.player(ADA).shared.bodies.set(CUBE, 'label', 'new');
    // The host has it already, and so says nothing of it but the ack.
    host.shared?.store.write(entry, store.words, layout.wordOf(entry));
    room.letPass(0.5);
    expect(link.shared.entries.isWaiting(entry)).toBe(false);
    const late = new SharedPart(layout);
    late.entries[late.entryCount++] = entry;
    link.shared.beginPacket(before, { ack: link.acks.nextSequence - 60, ackBits: 0 });
    receiveShared(ada, link, late);
    expect(room.player(ADA).shared.bodies.get(CUBE, 'label')).toBe('new');
  });

  test('[V3.2] but one does that was sent after the host had the write, and was overtaken', () => {
    const room = setRoom(1);
    room.takes(ADA, CUBE);
    room.letPass(1);
    const [host, ada] = [room.player(0), room.player(ADA)];
    host.peer.state.bodies.records.authority[CUBE] = 0;
    expect(ada.shared.bodies.set(CUBE, 'label', 'late')).toBeNull();
    const ticks = ({ peer }: SharedPlayer): Uint8Array => {
      const sent: Uint8Array[] = [];
      room.now += TICK_MS;
      peer.tick(playerInput());
      peer.poll(
        room.now,
        (_, bytes) => sent.push(bytes.slice()),
        () => true,
      );
      return sent[0];
    };
    host.peer.receive(room.now, ADA, ticks(ada));
    // The host refuses the write in its next two packets. The one after these has another entry, and comes first.
    const [first, second] = [ticks(host), ticks(host)];
    host.shared.room.set('round', 7);
    const third = ticks(host);
    for (const packet of [third, first, second]) ada.peer.receive(room.now, 0 as Slot, packet);
    // It acks them all before the host says it a third time.
    host.peer.receive(room.now, ADA, ticks(ada));
    room.letPass(1);
    expect(ada.shared.bodies.get(CUBE, 'label')).toBe('');
  });

  test('[V3.4] a guest that joins has everything before it has the world', () => {
    const room = setRoom(1, { loss: 0.2 });
    room.player(0).shared.room.set('mode', 'wild');
    for (let body = 0; body < 4; body++) room.player(0).shared.bodies.set(body as BodyId, 'worth', 0.7);
    room.player(ADA).shared.players.set(ADA, 'motto', 'hello there');
    room.letPass(2);
    room.joins(BEN);
    const ben = room.player(BEN);
    for (let tick = 0; tick < 600 && !ben.peer.hasWorld; tick++) {
      expect(ben.shared.events()).toEqual([]);
      room.tick();
    }
    expect(ben.peer.hasWorld).toBe(true);
    expect(ben.shared.room.get('mode')).toBe('wild');
    expect(ben.shared.bodies.get(3 as BodyId, 'worth')).toBeCloseTo(0.7, 9);
    expect(ben.shared.players.get(ADA, 'motto')).toBe('hello there');
    room.letPass(1);
  });

  test('[V3.4] under another host, values of which it knows nothing are the initial ones', () => {
    const room = setRoom(3);
    room.player(ADA).shared.players.set(ADA, 'motto', 'still me');
    room.takes(BEN, CUBE);
    room.letPass(0.5);
    room.player(BEN).shared.bodies.set(CUBE, 'label', 'kept');
    room.letPass(0.5);
    // Only Ada hears of it, then the host is gone.
    room.network.link(0 as Slot, BEN)!.conditions.loss = 1;
    room.network.link(0 as Slot, 3 as Slot)!.conditions.loss = 1;
    room.player(0).shared.room.set('round', 50);
    room.letPass(0.3);
    expect(room.player(ADA).shared.room.get('round')).toBe(50);
    room.changesHost(BEN);
    room.letPass(2);
    for (const slot of [ADA, BEN, 3]) {
      expect(room.player(slot).shared.room.get('round')).toBe(1);
      expect(room.player(slot).shared.players.get(ADA, 'motto')).toBe('still me');
      expect(room.player(slot).shared.bodies.get(CUBE, 'label')).toBe('kept');
      expect(room.player(slot).peer.hasWorld).toBe(true);
    }
  });

  test('[V3.3] an entry that changes in every tick is sent ten times a second', () => {
    const room = setRoom(1);
    const before = room.player(0).peer.traffic(ADA).shared;
    for (let tick = 0; tick < 60; tick++) {
      room.player(0).shared.room.set('round', 1 + (tick % 90));
      room.tick();
    }
    const bits = room.player(0).peer.traffic(ADA).shared - before;
    // Ten beginnings, each in two packets in a row, of some 40 bits each.
    expect(bits).toBeGreaterThan(300);
    expect(bits).toBeLessThan(1200);
    room.letPass(1);
  });
});
