import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BROWSER_ARGS, findBrowser, PLAIN_ADDRESSES } from './test/support/browser.ts';

const E2E = 'test/e2e/**/*.test.ts';
/** Those with a single page that draws: two of them share the cores. */
const LIGHT = ['effects', 'headset-cost', 'headset-view', 'lab', 'loopback', 'policy'].map(
  (name) => `test/e2e/${name}.test.ts`,
);
const LONG = 'test/**/*.long.test.ts';

const WEBRTC = 'test/transport/webrtc/**/*.test.ts';

const executablePath = findBrowser();

/**
 * `node`: all that runs without a browser. `pages` and `rooms`: pages in Chromium, seen from outside, one of them
 * or several together. `webrtc`: tests that run in Chromium themselves. `long`: what takes minutes.
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
          name: 'pages',
          include: LIGHT,
          globalSetup: 'test/support/build-pages.ts',
          maxWorkers: 2,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: 'rooms',
          include: [E2E],
          exclude: [LONG, ...LIGHT],
          globalSetup: 'test/support/build-pages.ts',
          // One room at a time: its pages keep real time, and two at once fill the cores even where no pixels are filled.
          fileParallelism: false,
          testTimeout: 120_000,
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
