import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from '../../dedicated/site.ts';

/** A process of a site: it starts a server with the settings in its environment, and prints its address. */
const folder = mkdtempSync(join(tmpdir(), 'handover-site-'));
const settings = Object.entries(process.env).filter(([name]) =>
  /^(?:HANDOVER_|REDIS_URL|TRUST_PROXY|METRICS_PORT)/.test(name),
);
// Nobody asks it for a page, and it may be killed at any time: so its folder goes before anybody knows of it.
const server = await startSite(folder, Object.fromEntries(settings)).finally(() =>
  rmSync(folder, { recursive: true }),
);
process.stdout.write(`${server.url} http://127.0.0.1:${server.metricsPort}/metrics\n`);
process.on('SIGTERM', () => void server.close().finally(() => process.exit(0)));
