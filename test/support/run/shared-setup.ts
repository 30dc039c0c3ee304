import type { TestProject } from 'vitest/node';
import type { Shared } from './shared.ts';
import { givenShared, startShared } from './shared.ts';

declare module 'vitest' {
  interface ProvidedContext {
    shared: Shared;
  }
}

/** Vitest loads this file anew for each project; all of a run find here what the first has started. */
const run: typeof globalThis & { stories?: ReturnType<typeof startShared> } = globalThis;

/** Tells the stories of a project where browser and server are; starts them if test/run.ts has not. */
export default async function setup(project: TestProject): Promise<(() => void) | undefined> {
  const given = givenShared();
  if (given !== undefined) {
    project.provide('shared', given);
    return undefined;
  }
  const { shared, close } = await (run.stories ??= startShared());
  project.provide('shared', shared);
  return close;
}
