import { expect, test } from 'vitest';
import type { Slot } from '../../../../src/core/base/ids.ts';
import { RoomNews } from '../../../../src/pages/room/news/room-news.ts';

test('[A9] who has given or got a cube reads whom it went to, or came from', () => {
  const said: string[] = [];
  const news = new RoomNews(
    { roster: null },
    { say: (sentence) => void said.push(sentence), lost: () => undefined },
  );
  expect(news.gave(1 as Slot)).toBe('You gave Red a cube.');
  expect(news.received(0 as Slot)).toBe('Blue gave you a cube.');
  expect(said).toEqual(['You gave Red a cube.', 'Blue gave you a cube.']);
});
