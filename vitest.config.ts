import { defineConfig } from 'vitest/config';

const E2E = 'test/e2e/**/*.test.ts';
const LONG = 'test/**/*.long.test.ts';

/** `node`: all that runs without a browser. `browser`: pages in Chromium. `long`: what takes minutes. */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [E2E, LONG],
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: [E2E],
          exclude: [LONG],
          // One page at a time: software rendering fills the cores, and the pages keep real time.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'long',
          include: [LONG],
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
