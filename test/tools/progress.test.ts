import { expect, test } from 'vitest';
import { ProgressLine } from '../../src/tools/progress.ts';

/** The text that a progress line writes to a terminal, or to anything else. */
function written(isTTY: boolean, texts: readonly string[]): string {
  let text = '';
  const line = new ProgressLine({ isTTY, write: (more) => (text += more) });
  for (const each of texts) line.show(each);
  line.end();
  return text;
}

test('a terminal has the line written over, and a shorter text leaves nothing of a longer one', () => {
  expect(written(true, ['9 of 10', 'done'])).toBe('\r9 of 10\rdone   \n');
});

test('a file gets one line, at the end', () => {
  expect(written(false, ['1 of 2', '2 of 2'])).toBe('2 of 2\n');
});

test('where nothing was shown nothing is written', () => {
  expect([written(true, []), written(false, [])]).toEqual(['', '']);
});
