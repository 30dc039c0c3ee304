import { readdirSync } from 'node:fs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { startRedis } from '../../cluster/start-redis.ts';
import { temporaryFolder } from '../folders.ts';
import { balance } from './balancer.ts';
import { SiteProcess } from './site-process.ts';

test('a site that is killed or stopped leaves no folder behind, nor does its Caddy', async () => {
  const temporary = temporaryFolder();
  const left = (): string[] => readdirSync(temporary).filter((name) => name.startsWith('handover-'));
  vi.stubEnv('TMPDIR', temporary);
  onTestFinished(() => void vi.unstubAllEnvs());
  const redis = await startRedis();
  const sites = [await SiteProcess.start(redis.url), await SiteProcess.start(redis.url)];
  for (const site of sites) onTestFinished(() => site.kill());
  const caddy = await balance(sites.map(({ url }) => url));
  onTestFinished(() => caddy.stop());
  expect(left(), 'while they run').toEqual([]);
  sites[0].kill();
  await sites[1].stop();
  await caddy.stop();
  expect(left(), 'afterwards').toEqual([]);
});
