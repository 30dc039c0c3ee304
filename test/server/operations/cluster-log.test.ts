import pino from 'pino';
import { expect, test } from 'vitest';
import type { ClusterFigures } from '../../../src/server/cluster/cluster-figures.ts';
import { ClusterLog } from '../../../src/server/operations/cluster-log.ts';

test('[N9.1] [N9.7] the log says when Redis or another process comes and goes, once each', () => {
  const lines: string[] = [];
  const log = pino(
    { base: null },
    { write: (text) => void lines.push((JSON.parse(text) as { msg: string }).msg) },
  );
  let figures: ClusterFigures | null = null;
  const clusterLog = new ClusterLog(log, () => figures);
  const after = (processes: number, redis: number): string[] => {
    figures = { processes, redis, passed: 0, relayed: 0 };
    clusterLog.look();
    clusterLog.look();
    return lines.splice(0);
  };
  clusterLog.look();
  expect(after(0, 1), 'it is not a member yet').toEqual([]);
  expect(after(1, 1)).toEqual([]);
  expect(after(2, 1)).toEqual(['a process of this site has come']);
  expect(after(2, 0)).toEqual(['Redis is away']);
  expect(after(2, 1)).toEqual(['Redis is there again']);
  expect(after(1, 1)).toEqual(['a process of this site has gone']);
  clusterLog.close();
});
