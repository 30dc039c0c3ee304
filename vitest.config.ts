import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BROWSER_ARGS, findBrowser, PLAIN_ADDRESSES } from './test/support/browser.ts';

const E2E = 'test/e2e/**/*.test.ts';
const LONG = 'test/**/*.long.test.ts';

const WEBRTC = 'test/transport/webrtc/**/*.test.ts';

const executablePath = findBrowser();

/**
 * `node`: all that runs without a browser. `browser`: pages in Chromium, seen from outside. `webrtc`: tests
 * that run in Chromium themselves. `long`: what takes minutes.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [E2E, WEBRTC, LONG],
          // Vitest would leave one core idle, and load every module anew for each file; ours keep no state.
          maxWorkers: 2,
          isolate: false,
          testTimeout: 30_000,
          hookTimeout: 30_000,
        },
      },
      {
        test: {
          name: 'browser',
          include: [E2E],
          exclude: [LONG],
          globalSetup: 'test/support/build-pages.ts',
          // One page at a time: software rendering fills the cores, and the pages keep real time.
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 60_000,
        },
      },
      {
        // Found late, it would have the page reload.
        optimizeDeps: { include: ['peerjs'] },
        test: {
          name: 'webrtc',
          include: [WEBRTC],
          globalSetup: 'test/support/brokers.ts',
          // They wait far more than they work.
          maxWorkers: 3,
          isolate: false,
          testTimeout: 30_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright({
              launchOptions: {
                ...(executablePath === undefined ? {} : { executablePath }),
                args: [...BROWSER_ARGS, ...PLAIN_ADDRESSES],
              },
            }),
          },
        },
      },
      {
        test: {
          name: 'long',
          include: [LONG],
          globalSetup: 'test/support/build-pages.ts',
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: 60_000,
        },
      },
    ],
  },
});
