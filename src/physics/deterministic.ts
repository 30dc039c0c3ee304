import type { Engine } from './engine-types.ts';

let loading: Promise<Engine> | null = null;

/**
 * Rapier's build that computes the same on every machine, bit for bit. Only the lab needs it; rooms never load
 * it. Rejects without WebAssembly.
 */
export async function loadDeterministicEngine(): Promise<Engine> {
  loading ??= load();
  try {
    return await loading;
  } catch (error) {
    loading = null;
    throw error;
  }
}

async function load(): Promise<Engine> {
  const { default: deterministic } = await import('@dimforge/rapier3d-deterministic-compat');
  await deterministic.init();
  return deterministic;
}
