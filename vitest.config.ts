import { playwright } from '@vitest/browser-playwright';
import { defineConfig } from 'vitest/config';
import { BROWSER_ARGS, findBrowser } from './test/support/run/browser.ts';
import { PATIENCE } from './test/support/run/patience.ts';
import { givenShared } from './test/support/run/shared.ts';

const E2E = 'test/e2e/**/*.test.ts';
const stories = (names: readonly string[]): string[] => names.map((name) => `test/e2e/${name}.test.ts`);
/** Stories of a single page, of pages that mostly show texts, or of pages that wait for a network. */
const LIGHT = stories([
  'create',
  'effects',
  'headset/cost',
  'headset/view',
  'joining',
  'lab',
  'lobby-doors',
  'loopback',
  'package',
  'policy',
  'relay',
  'room/accessible',
  'room/doors',
  'room/flood',
  'room/https',
  'room/keyboard',
]);
/** Stories that measure to the millimetre what a hand does in real time: nothing runs beside them. */
const EXACT = stories(['headset/feel', 'headset/hands', 'headset/throws']);
/** Milliseconds after which a story is taken to hang: a busy machine takes many times as long as an idle one. */
const STORY_MS = 600_000;
/** The same for one thing that a story waits for. */
const EXPECTED_MS = PATIENCE * 1000;
const SLOW = 'test/**/*.slow.test.ts';
const LONG = 'test/**/*.long.test.ts';
const WEBRTC = 'test/transport/webrtc/**/*.test.ts';
const SHARED_SETUP = 'test/support/run/shared-setup.ts';

/** Tests and support keep no state in modules, so files of one worker share them: vitest loads them once. */
const isolate = false;

/** The options of tests that need no browser. */
const IN_NODE = {
  // Vitest would leave one core idle, and some tests wait for a network or a clock.
  maxWorkers: 3,
  isolate,
  // A limit for a test that hangs; a busy machine may take many times as long as an idle one.
  testTimeout: 180_000,
  hookTimeout: EXPECTED_MS,
  // Node's own modules: under vite's, each use of an import is a call, and simulations take half as long again.
  experimental: { viteModuleRunner: false, nodeLoader: false },
  execArgv: ['--import', 'tsx', '--import', './test/support/run/plain-names.ts'],
};

const given = givenShared();
const executablePath = given === undefined ? findBrowser() : undefined;

/**
 * `node`: tests that need no browser, and are fast. `slow`: tests that need none, and take seconds: whole rooms, named
 * seeds, searches of all orders, processes. `pages`, `rooms` and `exact`: pages in Chromium, seen from outside.
 * `webrtc`: tests that run in Chromium themselves. `long`: tests that take minutes.
 */
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'node',
          include: ['test/**/*.test.ts'],
          exclude: [E2E, WEBRTC, SLOW, LONG],
          ...IN_NODE,
        },
      },
      {
        test: { name: 'slow', include: [SLOW], ...IN_NODE },
      },
      {
        test: {
          name: 'pages',
          include: LIGHT,
          globalSetup: SHARED_SETUP,
          // A page in play takes half a core of a slow machine.
          maxWorkers: 2,
          isolate,
          testTimeout: STORY_MS,
          hookTimeout: 2 * EXPECTED_MS,
          expect: { poll: { timeout: EXPECTED_MS } },
          sequence: { groupOrder: 1 },
        },
      },
      {
        test: {
          name: 'rooms',
          include: [E2E],
          exclude: [LONG, ...LIGHT, ...EXACT],
          globalSetup: SHARED_SETUP,
          // Two rooms at once leave two cores a third of their time. All stories take a quarter less time than one at a time.
          maxWorkers: 2,
          isolate,
          testTimeout: STORY_MS,
          hookTimeout: 2 * EXPECTED_MS,
          expect: { poll: { timeout: EXPECTED_MS } },
          sequence: { groupOrder: 2 },
        },
      },
      {
        test: {
          name: 'exact',
          include: EXACT,
          globalSetup: SHARED_SETUP,
          maxWorkers: 1,
          isolate,
          testTimeout: STORY_MS,
          hookTimeout: 2 * EXPECTED_MS,
          expect: { poll: { timeout: EXPECTED_MS } },
          sequence: { groupOrder: 3 },
        },
      },
      {
        // Found late, it would have the page reload.
        optimizeDeps: { include: ['peerjs'] },
        test: {
          name: 'webrtc',
          include: [WEBRTC],
          globalSetup: SHARED_SETUP,
          // They wait far more than they work.
          maxWorkers: 3,
          isolate,
          testTimeout: 30_000,
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            instances: [{ browser: 'chromium' }],
            provider: playwright(
              given === undefined
                ? {
                    launchOptions: {
                      ...(executablePath === undefined ? {} : { executablePath }),
                      args: BROWSER_ARGS,
                    },
                  }
                : { connectOptions: { wsEndpoint: given.browser } },
            ),
          },
        },
      },
      {
        test: {
          name: 'long',
          include: [LONG],
          globalSetup: SHARED_SETUP,
          fileParallelism: false,
          testTimeout: 1_800_000,
          hookTimeout: EXPECTED_MS,
          expect: { poll: { timeout: EXPECTED_MS } },
        },
      },
    ],
  },
});
