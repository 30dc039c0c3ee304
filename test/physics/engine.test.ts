import { afterEach, describe, expect, it, vi } from 'vitest';
import { fastestBuild, loadBuild, loadedEngine, loadPhysics } from '../../src/physics/engine.ts';

describe('Rapier’s builds', () => {
  afterEach(async () => {
    vi.restoreAllMocks();
    await loadPhysics();
  });

  it('the fast one is loaded where there are vector instructions', async () => {
    expect(fastestBuild()).toBe('simd');
    await loadPhysics();
    expect(loadedEngine()).toBe((await import('@dimforge/rapier3d-simd-compat')).default);
  });

  it('the plain one where there are none', async () => {
    vi.spyOn(WebAssembly, 'validate').mockReturnValue(false);
    expect(fastestBuild()).toBe('plain');
    await loadPhysics();
    expect(loadedEngine()).toBe((await import('@dimforge/rapier3d-compat')).default);
  });

  it('both are of one version', async () => {
    // One after the other: the engine that counts is the one that was loaded last.
    await loadBuild('simd');
    const version = loadedEngine().version();
    await loadBuild('plain');
    expect(loadedEngine().version()).toBe(version);
  });
});
