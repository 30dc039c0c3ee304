import { expect, test } from 'vitest';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { nameAvatars } from '../../../src/pages/room/name-avatars.ts';
import { ROSTER, slot } from '../../core/room/samples.ts';

test('[P8] avatars have the names of the roster, also when a name changes', () => {
  const view = peerView(0);
  view.avatars[1].name = 'as it came in';
  nameAvatars(view, null);
  expect(view.avatars[1]).toMatchObject({ slot: slot(1), name: 'as it came in' });
  nameAvatars(view, ROSTER);
  expect(view.avatars[1].name).toBe('Hugo');
  expect(view.avatars[3].name).toBe('');
});
