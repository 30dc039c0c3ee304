import type { ChildProcess } from 'node:child_process';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { ownCertificate } from '../../../src/server/certificate.ts';
import { pageConfig } from '../../../src/server/page-config.ts';
import { startServer } from '../../../src/server/server.ts';
import { readSettings } from '../../../src/server/settings/settings.ts';
import { freePort } from '../../support/run/free-port.ts';
import { hasTurn } from '../../support/run/turn.ts';
import { connectBroker } from '../broker/broker-client.ts';
import { temporaryFolder } from '../folders.ts';
import { TCP, TurnClient, UDP } from './turn-client.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const RECIPES = join(ROOT, 'src/server/recipes');

function recipe(name: string): string {
  return readFileSync(join(RECIPES, name), 'utf8');
}

/** Returns whether a program is installed. */
function has(program: string, ...words: string[]): boolean {
  return spawnSync(program, words, { timeout: 10_000 }).error === undefined;
}

/** Runs a program until the test ends, and waits until it accepts connections. */
async function run(program: string, words: readonly string[], folder: string, port: number): Promise<void> {
  const environment = { ...process.env, HOME: folder, XDG_DATA_HOME: folder, XDG_CONFIG_HOME: folder };
  const child: ChildProcess = spawn(program, words, { cwd: folder, env: environment, stdio: 'pipe' });
  let said = '';
  const hear = (chunk: Buffer): void => {
    said = (said + chunk.toString()).slice(-4000);
  };
  child.stdout?.on('data', hear);
  child.stderr?.on('data', hear);
  onTestFinished(async () => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  });
  while (!(await accepts(port))) {
    if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${said}`);
    await wait(50);
  }
}

async function accepts(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Replaces something that a recipe has exactly once. */
function put(text: string, before: string, after: string): string {
  expect(text.split(before), before).toHaveLength(2);
  return text.replace(before, after);
}

describe('a proxy', () => {
  /** Starts the server that the proxy stands before. Returns its port, and the lines of its logs. */
  async function startBehind(): Promise<{ port: string; lines: Record<string, unknown>[] }> {
    const built = temporaryFolder({ 'index.html': '<!doctype html>' });
    const settings = readSettings('serve', {
      HOST: '127.0.0.1',
      PORT: '0',
      STUN_PORT: '0',
      HANDOVER_STUN: 'off',
      TRUST_PROXY: '127.0.0.1',
      LOG: 'requests',
    });
    const lines: Record<string, unknown>[] = [];
    const write = (text: string): void => void lines.push(JSON.parse(text) as Record<string, unknown>);
    const server = await startServer(settings, { built, logs: { write } });
    onTestFinished(() => server.close());
    return { port: new URL(server.url).port, lines };
  }

  /** Checks a proxy; `url` is the proxy's. */
  async function expectSafe(url: string, lines: readonly Record<string, unknown>[]): Promise<void> {
    const invented = { 'X-Forwarded-For': '203.0.113.9', 'X-Forwarded-Host': 'evil.example' };
    const config = await fetch(`${url}config.json`, { headers: invented });
    expect(config.headers.get('strict-transport-security')).toMatch(/max-age=\d{8}/);
    expect(await config.text()).not.toContain('evil.example');
    const ada = await connectBroker(url, 'ada', 't', invented);
    expect(await ada.next()).toEqual({ type: 'OPEN' });
    ada.send({ type: 'LEAVE' });
    expect(await ada.closed).toBe(1006);
    expect(lines).toMatchObject([{ path: '/config.json', status: 200, network: 'this machine' }]);
  }

  test.skipIf(!has('nginx', '-v'))(
    '[F1] nginx hides what visitors invent in X-Forwarded-For, and passes WebSockets on',
    async () => {
      const { port, lines } = await startBehind();
      const folder = temporaryFolder();
      await ownCertificate(folder, ['localhost', '127.0.0.1']);
      const [redirect, secure, plain] = [await freePort(), await freePort(), await freePort()];
      let text = put(recipe('nginx.conf'), 'listen 80;', `listen 127.0.0.1:${redirect};`);
      // By HTTP too, because fetch accepts no certificate of our own.
      const listen = `listen 127.0.0.1:${plain};\n  listen 127.0.0.1:${secure} ssl http2;`;
      text = put(text, 'listen 443 ssl http2;', listen);
      text = put(text, '/etc/ssl/cubes.example.org/fullchain.pem', join(folder, 'cert.pem'));
      text = put(text, '/etc/ssl/cubes.example.org/privkey.pem', join(folder, 'key.pem'));
      text = put(text, '127.0.0.1:5173', `127.0.0.1:${port}`);
      const folders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
        (name) => `${name}_temp_path ${join(folder, name)};`,
      );
      const http = `http {\n  access_log off;\n  ${folders.join('\n  ')}\n${text}\n}\n`;
      const main = `daemon off;\npid ${join(folder, 'pid')};\nerror_log stderr;\nevents {}\n${http}`;
      writeFileSync(join(folder, 'nginx.conf'), main);
      await run('nginx', ['-e', 'stderr', '-p', folder, '-c', join(folder, 'nginx.conf')], folder, plain);
      await expectSafe(`http://127.0.0.1:${plain}/`, lines);
    },
  );

  test.skipIf(!has('caddy', 'version'))(
    '[F1] Caddy hides what visitors invent in X-Forwarded-For, and passes WebSockets on',
    async () => {
      const { port, lines } = await startBehind();
      const site = `http://127.0.0.1:${await freePort()}`;
      const text = recipe('Caddyfile').replace('{$SITE:cubes.example.org}', site);
      const upstream = put(text, '{$HANDOVER:127.0.0.1:5173}', `127.0.0.1:${port}`);
      const folder = temporaryFolder({ Caddyfile: `{\n\tadmin off\n}\n${upstream}` });
      await run('caddy', ['run', '--config', 'Caddyfile'], folder, Number(new URL(site).port));
      await expectSafe(`${site}/`, lines);
    },
  );

  test.skipIf(!has('caddy', 'version'))(
    'the Caddyfile of a cluster has two processes, and asks whether they are ready',
    () => {
      const folder = temporaryFolder({ Caddyfile: recipe('Caddyfile.cluster') });
      const words = ['adapt', '--config', 'Caddyfile'];
      const { stdout } = spawnSync('caddy', words, { cwd: folder, timeout: 20_000, encoding: 'utf8' });
      expect(stdout).toContain('"upstreams":[{"dial":"127.0.0.1:5173"},{"dial":"127.0.0.1:5174"}]');
      expect(stdout).toContain('"uri":"/readyz"');
    },
  );

  test.skipIf(!has('caddy', 'version'))('the names in the Caddyfile have defaults that Caddy reads', () => {
    const folder = temporaryFolder({ Caddyfile: recipe('Caddyfile') });
    const words = ['adapt', '--config', 'Caddyfile'];
    const { stdout } = spawnSync('caddy', words, { cwd: folder, timeout: 20_000, encoding: 'utf8' });
    expect(stdout).toContain('"cubes.example.org"');
    expect(stdout).toContain('"dial":"127.0.0.1:5173"');
  });
});

describe('a container', () => {
  test('[F1] no recipe publishes a port at which anybody may invent X-Forwarded-For', () => {
    const [, handover, caddy] = /\n {2}handover:\n([^]*?)\n {2}caddy:\n([^]*?)\nnetworks:/.exec(
      recipe('compose.yaml'),
    ) ?? ['', '', ''];
    expect(handover).not.toMatch(/^ {4}(?:ports|network_mode):/m);
    const proxy = /TRUST_PROXY: (\S+)/.exec(handover)?.[1];
    expect(caddy).toContain(`ipv4_address: ${proxy}`);
    const hosting = readFileSync(join(ROOT, 'src/server/HOSTING.md'), 'utf8');
    for (const [command] of hosting.matchAll(/^.*\b(?:podman|docker) run\b.*$/gm)) {
      expect(command).not.toMatch(/TRUST_PROXY/);
    }
  });
});

describe('containers of one site', () => {
  const text = recipe('compose.cluster.yaml');
  const shared = text.slice(text.indexOf('x-handover:'), text.indexOf('services:'));

  test('[F1] [N9.2] believe the network of Caddy and of one another, which no port of theirs leaves', () => {
    expect(shared).not.toMatch(/^ {2}(?:ports|network_mode):/m);
    expect(shared).toContain('TRUST_PROXY: 172.30.78.0/24');
    expect(text).toContain('- subnet: 172.30.78.0/24');
    expect(text.match(/^ {2}handover-\d: \*handover$/gm)).toHaveLength(2);
    expect(text).toContain('HANDOVER: handover-1:5173 handover-2:5173');
    expect(text.slice(text.indexOf('  redis:'), text.indexOf('  caddy:'))).not.toContain('ports:');
  });

  test('have settings that the server reads', () => {
    const lines = [...shared.matchAll(/^ {4}([A-Z_]+): (.*)$/gm)].map(([, name, value]) => {
      return [name, value.replace(/\$\{(\w+)\}/g, 'a-$1')] as const;
    });
    const settings = readSettings('serve', Object.fromEntries(lines));
    expect(lines).toHaveLength(5);
    expect(settings).toMatchObject({
      cluster: { redis: 'redis://:a-REDIS_PASSWORD@redis:6379', url: null },
      snapshots: { kind: 'redis' },
      rooms: { most: 16 },
    });
  });
});

describe.skipIf(!hasTurn())('coturn', () => {
  const SECRET = 'a secret of the test';

  /** Starts coturn with the recipe's file, at this machine alone. Returns its port. */
  async function startRelay(): Promise<number> {
    const port = await freePort();
    let text = put(recipe('turnserver.conf'), 'listening-port=3478', `listening-port=${port}`);
    text = put(text, 'static-auth-secret=CHANGE-ME', `static-auth-secret=${SECRET}`);
    // Without a certificate it would look for one.
    text = text.replace(/^(?:cert|pkey|tls-listening-port)=.*$/gm, '');
    const own = ['127.0.0.1', '::1'].flatMap((ip) => [`listening-ip=${ip}`, `relay-ip=${ip}`]);
    const folder = temporaryFolder({
      'turnserver.conf': [text, ...own, 'no-tls', 'no-dtls', 'log-file=stdout', 'pidfile=pid'].join('\n'),
    });
    const words = ['-c', join(folder, 'turnserver.conf'), `--userdb=${join(folder, 'users')}`];
    await run('turnserver', words, folder, port);
    return port;
  }

  /** A login as the server gives it to pages. */
  function login(network: string): { username: string; credential: string } {
    const environment = {
      HANDOVER_TURN: 'turn:t.example',
      HANDOVER_TURN_SECRET: SECRET,
      HANDOVER_STUN: 'off',
    };
    const { ice } = readSettings('serve', environment);
    const [{ username, credential }] = pageConfig(ice, null, null, Date.now() / 1000, network).iceServers;
    if (username === undefined || credential === undefined) throw new Error('there is no login');
    return { username, credential };
  }

  const DENIED = {
    4: [
      '0.0.0.1',
      '10.0.0.1',
      '100.64.0.1',
      '127.0.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
    ].concat(['192.0.0.1', '192.168.1.1', '198.18.0.1', '224.0.0.1', '255.255.255.255']),
    6: [
      '::',
      '::1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      '2001::1',
      '2002:7f00:1::',
      'fc00::1',
      'fd12::1',
    ].concat(['fe80::1', 'ff02::1']),
  } as const;
  const ALLOWED = { 4: '9.9.9.9', 6: '2620:fe::9' } as const;

  test.each([
    [4, '127.0.0.1'],
    [6, '::1'],
  ] as const)('[F1] relays by IPv%i to public addresses alone', async (family, host) => {
    const client = await TurnClient.open(host, await startRelay(), login('a'));
    onTestFinished(() => client.close());
    expect(await client.allocate(family)).toBe('ok');
    expect(await client.permit(ALLOWED[family])).toBe('ok');
    const answers: Record<string, unknown> = {};
    for (const address of DENIED[family]) answers[address] = await client.permit(address);
    expect(answers).toEqual(Object.fromEntries(DENIED[family].map((address) => [address, 403])));
  });

  test('[F1] relays no TCP', async () => {
    const client = await TurnClient.open('127.0.0.1', await startRelay(), login('a'), TCP);
    onTestFinished(() => client.close());
    expect(await client.allocate(4, TCP)).not.toBe('ok');
    expect(await client.allocate(4, UDP)).toBe('ok');
  });

  test('[F1] gives one network so many connections, and others theirs', async () => {
    const port = await startRelay();
    const ask = async (network: string): Promise<unknown> => {
      const client = await TurnClient.open('127.0.0.1', port, login(network));
      onTestFinished(() => client.close());
      return client.allocate(4);
    };
    const answers: unknown[] = [];
    for (let i = 0; i < 202; i++) answers.push(await ask('a'));
    expect(answers.filter((answer) => answer === 'ok')).toHaveLength(200);
    expect(answers.at(-1)).toBe(486);
    expect(await ask('b')).toBe('ok');
  });

  test('[F1] refuses a login that has expired, or that nobody signed', async () => {
    const port = await startRelay();
    const { username } = login('a');
    for (const wrong of [
      { username, credential: 'guessed' },
      { username: '1:a', credential: 'x' },
    ]) {
      const client = await TurnClient.open('127.0.0.1', port, wrong);
      onTestFinished(() => client.close());
      expect(await client.allocate(4)).toBe(401);
    }
  });
});

test('every recipe is explained in HOSTING.md', () => {
  const hosting = readFileSync(join(ROOT, 'src/server/HOSTING.md'), 'utf8');
  for (const name of readdirSync(RECIPES)) expect(hosting.includes(`](recipes/${name})`), name).toBe(true);
});
