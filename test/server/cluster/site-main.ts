import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startSite } from '../../dedicated/site.ts';

/** A process of a site: it starts a server with the settings in its environment, and prints its address. */
const server = await startSite(mkdtempSync(join(tmpdir(), 'handover-site-')), {
  ...Object.fromEntries(
    Object.entries(process.env).filter(([name]) =>
      /^(?:HANDOVER_|REDIS_URL|TRUST_PROXY|METRICS_PORT)/.test(name),
    ),
  ),
});
process.stdout.write(`${server.url} http://127.0.0.1:${server.metricsPort}/metrics\n`);
process.on('SIGTERM', () => void server.close().finally(() => process.exit(0)));
