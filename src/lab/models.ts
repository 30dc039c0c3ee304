import type { LabModel } from './lab-model.ts';
import { authority } from './models/authority.ts';
import {
  cachedInterpolation,
  constantInterpolation,
  hermiteInterpolation,
  linearInterpolation,
} from './models/interpolation.ts';
import { colyseus } from './models/colyseus.ts';
import { lockstep } from './models/lockstep.ts';
import { ownerAdding, ownerDisplacing, ownerMoving } from './models/owner.ts';
import { prediction } from './models/prediction.ts';
import { reconciliation } from './models/reconciliation.ts';
import { rollback } from './models/rollback.ts';
import { simpleServer } from './models/server.ts';

/** All models of the lab, in the order in which they are shown. */
export const LAB_MODELS: readonly LabModel[] = [
  authority,
  lockstep,
  rollback,
  simpleServer,
  prediction,
  colyseus,
  reconciliation,
  linearInterpolation,
  constantInterpolation,
  cachedInterpolation,
  hermiteInterpolation,
  ownerAdding,
  ownerMoving,
  ownerDisplacing,
];

/** The model with this id, or undefined. */
export function modelOf(id: string): LabModel | undefined {
  return LAB_MODELS.find((model) => model.id === id);
}
