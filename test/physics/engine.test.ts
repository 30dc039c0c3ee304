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
    const versions = (['simd', 'plain'] as const).map(async (build) => {
      await loadBuild(build);
      return loadedEngine().version();
    });
    expect(await versions[0]).toBe(await versions[1]);
  });
});
