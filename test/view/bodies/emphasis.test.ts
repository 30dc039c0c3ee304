import type { Mesh, ShaderMaterial } from 'three';
import { beforeEach, describe, expect, test } from 'vitest';
import type { BodyId, Slot } from '../../../src/core/base/ids.ts';
import { LEFT, NO_BODY, RIGHT } from '../../../src/core/base/ids.ts';
import { POSE_STRIDE } from '../../../src/core/base/state.ts';
import type { PeerView } from '../../../src/core/peer/shown/peer-view.ts';
import { peerView } from '../../../src/core/peer/shown/peer-view.ts';
import { createLevel } from '../../../src/levels/levels.ts';
import { displayValues } from '../../../src/view/light/colour.ts';
import { Emphasis } from '../../../src/view/bodies/emphasis.ts';
import { PresentBodies } from '../../../src/view/bodies/present-bodies.ts';
import { SLOT_LOOKS } from '../../../src/view/slots.ts';

const COUNT = 4;
const [SELF, FRIEND] = [0, 2] as Slot[];
const [A, B] = [1, 3] as BodyId[];

let emphasis: Emphasis;
let view: PeerView;

beforeEach(() => {
  emphasis = new Emphasis(new PresentBodies(createLevel({ id: 'grid', seed: 1, count: COUNT })));
  view = peerView(COUNT);
  view.self = SELF;
  for (let body = 0; body < COUNT; body++) view.poses.set([body, 0, 0, 0, 0, 0, 1], body * POSE_STRIDE);
  for (const slot of [SELF, FRIEND]) view.avatars[slot].present = true;
});

/** Returns the drawn lines: the body and the slot of the colour. */
function lines(glow: BodyId = NO_BODY): { body: number; slot: number }[] {
  emphasis.update(view, NO_BODY, 1 / 60, glow);
  return emphasis.group.children
    .filter((child) => child.visible)
    .map((child) => {
      const { colour } = (child as Mesh<never, ShaderMaterial>).material.uniforms;
      const slot = SLOT_LOOKS.findIndex(
        (look) => String(displayValues(look.colour)) === String(colour.value),
      );
      return { body: child.position.x, slot };
    });
}

describe('a body has a line and light', () => {
  test('in the player’s own colour, if its hand holds it or has selected it', () => {
    view.avatars[SELF].hands[LEFT].held = A;
    view.avatars[SELF].hands[RIGHT].selected = B;
    expect(lines()).toEqual([
      { body: A, slot: SELF },
      { body: B, slot: SELF },
    ]);
    expect([...emphasis.lift].map((lift) => lift > 0)).toEqual([false, true, false, true]);
  });

  test('not for bodies that others hold or have selected', () => {
    view.avatars[FRIEND].hands[LEFT].held = A;
    view.avatars[FRIEND].hands[RIGHT].selected = B;
    expect(lines()).toEqual([]);
  });

  test('[A9] in the colour of the player that reaches for it, also in a hand of this player', () => {
    view.avatars[SELF].hands[RIGHT].held = A;
    view.avatars[FRIEND].hands[LEFT].reach = A;
    expect(lines()).toEqual([{ body: A, slot: FRIEND }]);
    view.avatars[FRIEND].hands[LEFT].reach = NO_BODY;
    expect(lines()).toEqual([{ body: A, slot: SELF }]);
  });

  test('in a colour of nobody, if it glows; unless the player’s own hand has it', () => {
    expect(lines(B)).toEqual([{ body: B, slot: -1 }]);
    view.avatars[FRIEND].hands[LEFT].held = B;
    expect(lines(B)).toEqual([{ body: B, slot: -1 }]);
    view.avatars[SELF].hands[LEFT].held = B;
    expect(lines(B)).toEqual([{ body: B, slot: SELF }]);
  });

  test('[A9] if this player reaches for it, but not for an absent player', () => {
    view.avatars[SELF].hands[RIGHT].reach = B;
    view.avatars[FRIEND].hands[LEFT].reach = A;
    view.avatars[FRIEND].present = false;
    expect(lines()).toEqual([{ body: B, slot: SELF }]);
  });
});
