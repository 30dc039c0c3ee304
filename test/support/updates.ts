import { copyState } from '../../src/core/base/state.ts';
import type { BodyUpdate } from '../../src/core/wire/bodies/update.ts';
import { copyClaim } from '../../src/core/world/record.ts';

/** Copies everything of an update. */
export function copyUpdate(from: Readonly<BodyUpdate>, out: BodyUpdate): void {
  out.body = from.body;
  copyClaim(from.claim, out.claim);
  out.kind = from.kind;
  out.tick = from.tick;
  copyState(from.state, 0, out.state, 0);
  out.mode = from.mode;
}
