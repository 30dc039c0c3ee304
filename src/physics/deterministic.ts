import type { Engine } from './engine.ts';

let loading: Promise<Engine> | null = null;

/**
 * Rapier's build that does the same on every machine, bit for bit. Only the lab needs it: rooms never load it.
 * Rejects if WebAssembly can't be had.
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
  // As in engine.ts: the same interface, but classes with private members are never equal.
  return deterministic as unknown as Engine;
}
