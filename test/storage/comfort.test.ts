import { expect, test } from 'vitest';
import { USUAL_COMFORT } from '../../src/input/headset/comfort.ts';
import { loadComfort, saveComfort } from '../../src/storage/comfort.ts';
import { createStore } from '../../src/storage/store.ts';

const KEY = 'handover.comfort';

test('comfort settings are stored', () => {
  const store = createStore(null);
  expect(loadComfort(store)).toEqual(USUAL_COMFORT);
  const chosen = { smoothWalking: true, snapDegrees: 90, smoothTurn: true, vignette: false, seated: true };
  saveComfort(chosen, store);
  expect(loadComfort(store)).toEqual(chosen);
});

test.each([
  ['no JSON', '{', {}],
  ['no object', '[]', {}],
  ['a turn that there is not', '{"smoothWalking":true,"snapDegrees":1e9}', { smoothWalking: true }],
  ['words for numbers', '{"smoothWalking":"yes","snapDegrees":"45"}', {}],
  ['one of them', '{"snapDegrees":30}', { snapDegrees: 30 }],
  ['a number for a word', '{"seated":1,"vignette":null,"smoothTurn":"no"}', {}],
])('what makes no sense is left out: %s', (_, text, kept) => {
  const store = createStore(null);
  store.write(KEY, text);
  expect(loadComfort(store)).toEqual({ ...USUAL_COMFORT, ...kept });
});
