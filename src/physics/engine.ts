import type { Engine } from './engine-types.ts';

/**
 * Rapier's builds, of one version. They have the same interface and the same results up to rounding. Nothing in
 * play depends on determinism, so players with different builds share a room.
 */
export type Build =
  /** Twice as fast. It needs WebAssembly's vector instructions. */
  'simd' | 'plain';

/** A module with a function that makes a vector of a number and drops it: `i32.const 0; i8x16.splat; drop`. */
const VECTOR_MODULE = new Uint8Array([
  ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
  ...[1, 4, 1, 0x60, 0, 0],
  ...[3, 2, 1, 0],
  ...[10, 9, 1, 7, 0, 0x41, 0, 0xfd, 15, 0x1a, 0xb],
]);

/** The builds that are loaded or loading. A second load would unpack the build again. */
const builds = new Map<Build, Promise<Engine>>();
let loaded: Engine | null = null;

/** The build that this browser runs fastest. */
export function fastestBuild(): Build {
  return WebAssembly.validate(VECTOR_MODULE) ? 'simd' : 'plain';
}

/** The engine that was loaded last. */
export function loadedEngine(): Engine {
  if (loaded === null) throw new Error('The engine is not loaded.');
  return loaded;
}

/**
 * Loads only the build that runs fastest. It resolves at once after the first time, and rejects without
 * WebAssembly.
 */
export async function loadPhysics(): Promise<void> {
  await loadBuild(fastestBuild());
}

/** Loads a build. Engines that are created from now on use it. */
export async function loadBuild(build: Build): Promise<void> {
  const begun = builds.get(build) ?? (build === 'simd' ? importSimd() : importPlain());
  builds.set(build, begun);
  try {
    loaded = await begun;
  } catch (error) {
    builds.delete(build);
    throw error;
  }
}

async function importSimd(): Promise<Engine> {
  const { default: simd } = await import('@dimforge/rapier3d-simd-compat');
  await simd.init();
  return simd;
}

async function importPlain(): Promise<Engine> {
  const { default: plain } = await import('@dimforge/rapier3d-compat');
  await plain.init();
  return plain;
}
