import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, BrowserServer, LaunchOptions } from 'playwright-core';
import { chromium } from 'playwright-core';

/** Playwright's arguments that have hidden tabs run as if they were seen: our pages are tested without them. */
const KEEP_AWAKE = [
  '--disable-background-timer-throttling',
  '--disable-backgrounding-occluded-windows',
  '--disable-renderer-backgrounding',
];

/** The arguments of every Chromium under test. */
export const BROWSER_ARGS = [
  // WebGL without a GPU.
  '--use-angle=swiftshader',
  '--enable-unsafe-swiftshader',
  // Pages of texts and forms take a third less time if only WebGL is drawn as on a GPU.
  '--disable-gpu-compositing',
  // Nothing reaches out but to this machine: neither the browser by itself, nor a page by mistake.
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
  '--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1 , EXCLUDE localhost',
  // Pages connect to each other by this machine's addresses, its own included: by default they hide them behind
  // names that only some networks resolve.
  '--disable-features=WebRtcHideLocalIpsWithMdns',
  '--allow-loopback-in-peer-connection',
];

/** The argument that gives Chromium a microphone, which beeps twice a second, for pages that may use it. */
export const MICROPHONE = '--use-fake-device-for-media-stream';

/**
 * Starts a headless Chromium that draws in software and talks to this machine alone.
 * @param args further arguments for Chromium.
 * @throws Error with one sentence if there is none.
 */
export function launchBrowser(args: readonly string[] = []): Promise<Browser> {
  return withBestSandbox((options) => chromium.launch(options), args);
}

/**
 * The same, for several processes to connect to. It ends with this process.
 * @param kind `whole`: with a microphone. `light`: Chromium's headless shell, where there is one. It has no windows and
 * no microphone, and a page takes a third less time in it.
 */
export function launchBrowserServer(kind: 'light' | 'whole'): Promise<BrowserServer> {
  const launch = (options: LaunchOptions): Promise<BrowserServer> =>
    chromium.launchServer({ ...options, host: '127.0.0.1' });
  return kind === 'light' ? withBestSandbox(launch, [], findShell()) : withBestSandbox(launch, [MICROPHONE]);
}

async function withBestSandbox<T>(
  launch: (options: LaunchOptions) => Promise<T>,
  args: readonly string[],
  executablePath = findBrowser(),
): Promise<T> {
  if (executablePath === undefined) throw new Error(NO_BROWSER);
  const launchWith = (chromiumSandbox: boolean): Promise<T> =>
    launch({
      executablePath,
      chromiumSandbox,
      args: [...BROWSER_ARGS, ...args],
      ignoreDefaultArgs: KEEP_AWAKE,
    });
  if (isRoot()) return launchWith(false);
  return launchWith(true).catch((error: unknown) => {
    // Some systems (containers, Ubuntu's AppArmor) forbid what the sandbox is made of.
    if (/no usable sandbox|sandbox_linux|setuid sandbox/i.test(String(error))) return launchWith(false);
    throw error;
  });
}

/** Set by hand, it is the browser to use, or a mistake to be told of. */
const CHROME_PATH = process.env.CHROME_PATH ?? '';

const NO_BROWSER =
  CHROME_PATH === ''
    ? 'No Chrome or Chromium was found and none could be installed: install one, or set CHROME_PATH to its executable.'
    : `CHROME_PATH is "${CHROME_PATH}", but no Chrome or Chromium runs from there.`;

/** The executable of a Chrome or Chromium that runs, or undefined. */
export function findBrowser(): string | undefined {
  return candidates().find(runs);
}

function candidates(): string[] {
  if (CHROME_PATH !== '') return [CHROME_PATH];
  return [chromium.executablePath(), ...installed(process.platform, process.env.PATH ?? '')];
}

/** The headless shell of the system; undefined if there is none, or if the browser was set by hand. */
function findShell(): string | undefined {
  if (CHROME_PATH !== '' || process.platform !== 'linux') return undefined;
  const folders = [
    '/usr/bin',
    ...(process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== ''),
  ];
  return folders.map((folder) => join(folder, 'chromium-headless-shell')).find(runs);
}

/** Where browsers live on this kind of system. */
function installed(platform: NodeJS.Platform, path: string): string[] {
  if (platform === 'darwin') {
    const apps = ['Google Chrome', 'Chromium'].map(
      (name) => `Applications/${name}.app/Contents/MacOS/${name}`,
    );
    return ['/', homedir()].flatMap((base) => apps.map((app) => join(base, app)));
  }
  if (platform === 'win32') {
    const { PROGRAMFILES, LOCALAPPDATA } = process.env;
    const bases = [PROGRAMFILES, process.env['PROGRAMFILES(X86)'], LOCALAPPDATA].filter(
      (base) => base !== undefined,
    );
    return bases.flatMap((base) =>
      ['Google\\Chrome', 'Chromium'].map((name) => join(base, name, 'Application', 'chrome.exe')),
    );
  }
  const folders = [
    '/usr/bin',
    ...path.split(delimiter).filter((folder) => folder !== ''),
    '/opt/google/chrome',
  ];
  const names = ['chromium', 'google-chrome', 'google-chrome-stable', 'chromium-browser', 'chrome'];
  return folders.flatMap((folder) => names.map((name) => join(folder, name)));
}

/** A browser that is there may still lack libraries, or be a stub that asks for a snap: ask its version. */
function runs(executable: string): boolean {
  if (!existsSync(executable)) return false;
  if (process.platform !== 'linux') return true;
  const { status, stdout } = spawnSync(executable, ['--version'], { encoding: 'utf8', timeout: 30_000 });
  return status === 0 && /chrom/i.test(stdout);
}

function isRoot(): boolean {
  return process.getuid?.() === 0;
}

/**
 * Finds a browser, or gets one: on Debian as root the distribution's own, elsewhere playwright's.
 * @param tell hears what is being done, one sentence at a time.
 * @returns its executable.
 * @throws Error with one sentence that says what is missing.
 */
export function ensureBrowser(tell: (sentence: string) => void): string {
  const found = findBrowser();
  if (found !== undefined) return found;
  if (CHROME_PATH !== '') throw new Error(NO_BROWSER);
  for (const [sentence, install] of INSTALLERS) {
    tell(sentence);
    try {
      install();
    } catch (error) {
      tell(`That failed: ${error instanceof Error ? error.message.split('\n')[0] : String(error)}`);
    }
    const now = findBrowser();
    if (now !== undefined) return now;
  }
  throw new Error(NO_BROWSER);
}

const INSTALLERS: readonly (readonly [sentence: string, install: () => void])[] = [
  ...(isRoot() && isDebian()
    ? [
        [
          "There is no Chrome or Chromium yet: installing Debian's chromium.",
          () => {
            run('apt-get', ['update', '-q']);
            run('apt-get', ['install', '-qy', '--no-install-recommends', 'chromium', 'fonts-dejavu-core']);
          },
        ] as const,
      ]
    : []),
  [
    "There is no Chrome or Chromium yet: downloading playwright's.",
    () => {
      const root = fileURLToPath(new URL('../../..', import.meta.url));
      const cli = join(root, 'node_modules/playwright-core/cli.js');
      const withLibraries = isRoot() && process.platform === 'linux' ? ['--with-deps'] : [];
      run(process.execPath, [cli, 'install', ...withLibraries, '--no-shell', 'chromium']);
    },
  ],
];

function isDebian(): boolean {
  return existsSync('/etc/os-release') && /^ID=debian$/m.test(readFileSync('/etc/os-release', 'utf8'));
}

/** Runs an installer with its words on the screen, ten minutes at most. */
function run(command: string, args: readonly string[]): void {
  execFileSync(command, args, {
    stdio: ['ignore', 'inherit', 'inherit'],
    timeout: 600_000,
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' },
  });
}
