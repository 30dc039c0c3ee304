import { describe, expect, test } from 'vitest';
import { TICK_MS } from '../../../src/core/base/constants.ts';
import type { SearchMeans } from '../../../src/core/room/guest/door-search.ts';
import { DoorSearch } from '../../../src/core/room/guest/door-search.ts';
import type { LineId } from '../../../src/core/room/line.ts';

/** A search by itself: its lines are numbers, and are dialled as soon as they are asked for. */
class SearchDesk {
  readonly search: DoorSearch;
  now = 0;
  isBrokerAsked = false;
  hasBroker = true;
  #lines = 0;
  readonly #done: string[] = [];

  constructor(means: SearchMeans = { hasRelay: false, relayOnly: false, hasSocket: false }) {
    this.search = new DoorSearch(means);
    this.search.begin();
  }

  run(ms: number): void {
    for (const end = this.now + ms; this.now < end;) {
      this.now += Math.min(TICK_MS, end - this.now);
      this.search.tick(this.now, this.isBrokerAsked);
      this.#obey();
    }
  }

  /** The effects since the last call, each with its time in seconds. */
  done(): string[] {
    this.#obey();
    return this.#done.splice(0);
  }

  #obey(): void {
    const at = (this.now / 1000).toFixed(1);
    this.search.drain((effect) => {
      if (effect.kind === 'dial') this.#done.push(`${at} dial ${effect.way}`);
      else if (effect.kind === 'close') this.#done.push(`${at} close ${effect.line}`);
      else this.#done.push(`${at} ${effect.why}`);
      if (effect.kind === 'dial')
        this.search.dialled(this.hasBroker ? (++this.#lines as LineId) : null, effect.way);
    });
  }

  answered(line: number): void {
    this.search.answered(line as LineId);
  }

  opened(line: number): boolean {
    return this.search.opened(line as LineId);
  }

  closed(line: number): void {
    this.search.closed(line as LineId);
  }
}

describe('a search for a room’s door', () => {
  test('[F3.7] tries one more line every 2 s, each for 12 s', () => {
    const desk = new SearchDesk();
    desk.run(15_500);
    const done = desk
      .done()
      .map((each) => each.split(' '))
      .map(([at, ...rest]) => [Number(at), ...rest]);
    const dials = done.filter(([, kind]) => kind === 'dial').map(([at]) => Number(at));
    expect(dials).toHaveLength(8);
    dials.forEach((at, i) => expect(Math.abs(at - 2 * i)).toBeLessThanOrEqual(0.15));
    const closes = done.filter(([, kind]) => kind === 'close');
    expect(
      closes.map(([at, , line]) => [Math.round(Number(at) - 12 - 2 * (Number(line) - 1)), line]),
    ).toEqual([
      [0, '1'],
      [0, '2'],
    ]);
  });

  test('[F3.7] goes on beside a line that has opened, and closes the others when it is stopped', () => {
    const desk = new SearchDesk();
    desk.run(5000);
    desk.done();
    expect(desk.opened(2)).toBe(true);
    expect([desk.done(), desk.search.failure]).toEqual([[], 'no answer']);
    desk.run(2000);
    expect(desk.done()).toEqual(['6.0 dial any']);
    expect(desk.opened(3)).toBe(true);
    desk.search.stop();
    expect(desk.done()).toEqual(['7.0 close 1', '7.0 close 4']);
    desk.run(10_000);
    expect([desk.done(), desk.search.state]).toEqual([[], { kind: 'none' }]);
    expect(desk.opened(4), 'it is no longer wanted').toBe(false);
  });

  test('[F3.7] takes turns between all ways and the relay, where there is one', () => {
    const desk = new SearchDesk({ hasRelay: true, relayOnly: false, hasSocket: false });
    desk.run(7000);
    expect(desk.done().map((done) => done.split(' ')[2])).toEqual(['any', 'relay', 'any', 'relay']);
    const relayed = new SearchDesk({ hasRelay: true, relayOnly: true, hasSocket: false });
    relayed.run(4000);
    expect(relayed.done().map((done) => done.split(' ')[2])).toEqual(['relay', 'relay']);
  });

  test.each([
    [false, false, ['any', 'any', 'socket', 'any', 'any', 'socket']],
    [true, false, ['any', 'relay', 'socket', 'relay', 'any', 'socket']],
    [true, true, ['relay', 'relay', 'socket', 'relay', 'relay', 'socket']],
  ])('[F3.7] [N2.3] tries the WebSocket of the site every third time', (hasRelay, relayOnly, ways) => {
    const desk = new SearchDesk({ hasRelay, relayOnly, hasSocket: true });
    desk.run(10_500);
    const dialled = desk.done().filter((done) => done.includes('dial'));
    expect(dialled.map((done) => done.split(' ')[2])).toEqual(ways);
  });

  test('[N2.3] goes on at once when the site has no such room', () => {
    const desk = new SearchDesk({ hasRelay: false, relayOnly: false, hasSocket: true });
    desk.run(4100);
    expect(desk.done()).toEqual(['0.0 dial any', '2.0 dial any', '4.0 dial socket']);
    desk.closed(3);
    desk.run(100);
    expect(desk.done()).toEqual(['4.1 dial any']);
  });

  test('tries again 1 s after its only line has failed', () => {
    const desk = new SearchDesk();
    desk.run(500);
    desk.closed(1);
    desk.closed(9);
    desk.run(2000);
    expect(desk.done()).toEqual(['0.0 dial any', '1.5 dial any']);
  });

  test('waits while the broker is asked, and is over if the broker does not answer', () => {
    const desk = new SearchDesk();
    desk.isBrokerAsked = true;
    desk.hasBroker = false;
    desk.run(5000);
    expect([desk.done(), desk.search.step, desk.search.failure]).toEqual([[], 'asking', 'no broker']);
    desk.isBrokerAsked = false;
    desk.run(1000);
    expect(desk.done()).toEqual(['5.0 dial any', '5.0 no broker']);
  });

  test('goes on with its lines when the broker is gone', () => {
    const desk = new SearchDesk();
    desk.run(100);
    desk.hasBroker = false;
    desk.run(4000);
    expect(desk.done()).not.toContain('3.0 no broker');
    desk.hasBroker = true;
    expect(desk.opened(1)).toBe(true);
  });

  test('is over when nobody is at the door, unless somebody has answered', () => {
    const desk = new SearchDesk();
    desk.run(3500);
    desk.done();
    desk.search.missing();
    expect(desk.done()).toEqual(['3.5 close 1', '3.5 close 2', '3.5 not found']);
    desk.search.begin();
    desk.run(1000);
    desk.answered(3);
    desk.search.missing();
    expect(desk.done().filter((done) => done.includes('not found'))).toEqual([]);
  });

  test('[F3.10] is not over while an open line may bring something, and is as soon as that is closed', () => {
    const desk = new SearchDesk();
    desk.run(100);
    desk.opened(1);
    desk.search.missing();
    expect(desk.search.state.kind).toBe('calling');
    desk.closed(1);
    desk.search.missing();
    expect(desk.search.state.kind).toBe('none');
  });

  test('closes its lines when it is stopped, and a line that comes too late', () => {
    const desk = new SearchDesk();
    desk.run(100);
    desk.done();
    desk.search.stop();
    expect(desk.done()).toEqual(['0.1 close 1']);
    desk.search.dialled(7 as LineId, 'any');
    expect(desk.done()).toEqual(['0.1 close 7']);
  });
});

describe('[F5.2] [F5.3] a search says what it does, and which part fails', () => {
  test.each([
    [false, 'direct', 'blocked'],
    [true, 'direct', 'no relay'],
  ] as const)('with a relay: %s', (hasRelay, step, failure) => {
    const desk = new SearchDesk({ hasRelay, relayOnly: false, hasSocket: false });
    desk.run(100);
    expect([desk.search.step, desk.search.failure]).toEqual(['calling', 'no answer']);
    desk.answered(1);
    expect([desk.search.step, desk.search.failure]).toEqual([step, failure]);
    desk.run(3500);
    desk.answered(2);
    expect(desk.search.step).toBe(hasRelay ? 'relay' : 'direct');
    desk.closed(1);
    desk.closed(2);
    expect([desk.search.step, desk.search.failure], 'it remembers').toEqual(['calling', failure]);
  });
});
