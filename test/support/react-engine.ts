import { createRequire } from 'node:module';
import type { RapierContext } from '@react-three/rapier';

const ofReact = createRequire(createRequire(import.meta.url).resolve('@react-three/rapier'));

/** The engine that @react-three/rapier brings along, before its `init`. */
export const REACT_ENGINE = ofReact('@dimforge/rapier3d-compat') as RapierContext['rapier'];
