import { expect } from 'vitest';
import { HandoverRoom } from '../../support/pages/handover-room.ts';

/** Milliseconds within which everybody is in, and has a line to everybody. */
export const MET_MS = 6000;

/** @returns a room with a host in slot 0 and so many guests, who all have met. */
export function roomWith(guests: number, seed = 1): HandoverRoom {
  const room = new HandoverRoom(seed);
  room.run(1500);
  for (let i = 0; i < guests; i++) {
    room.join();
    room.run(1000);
  }
  room.run(MET_MS);
  expect(room.differences()).toEqual([]);
  return room;
}

/** Lets all come to rest, and expects that all pages agree on everything. */
export function expectAgreed(room: HandoverRoom): void {
  room.settle();
  expect(room.differences(), room.describe()).toEqual([]);
}

/** @returns the slots of the pages that claim to be host. */
export function hostsOf(room: HandoverRoom): (number | null)[] {
  return room.pages.filter(({ isHost }) => isHost).map(({ slot }) => slot);
}
