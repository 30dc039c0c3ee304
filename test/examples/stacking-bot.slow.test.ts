import RAPIER from '@dimforge/rapier3d-compat';
import { spawn, spawnSync } from 'node:child_process';
import { expect, onTestFinished, test } from 'vitest';
import { TOWER_X, TOWER_Z } from '../../src/bots/stack-bot.ts';
import { Tower } from '../../src/bots/tower.ts';
import { gameLevels } from '../../src/levels/levels.ts';
import { openRoom, startTicker } from '../../src/room/node.ts';
import { startBroker } from '../server/broker/broker-client.ts';

test('the bot of the example comes into a room by its link, and stacks cubes there', async () => {
  await RAPIER.init();
  const { url } = await startBroker();
  const broker = `${url.replace('http', 'ws')}broker`;
  const start = { id: 'grid', seed: 1, count: 16 };
  const room = await openRoom({ engine: RAPIER, levels: gameLevels, start, broker, address: '127.0.0.1' });
  const stop = startTicker({ tick: () => room.tick() });
  onTestFinished(() => {
    stop();
    room.dispose();
  });
  // Its server has no config.json, so the bot takes the broker that such a server has.
  const bot = spawn(process.execPath, ['--import', 'tsx', 'examples/stacking-bot/bot.js', room.link(url)]);
  onTestFinished(() => void bot.kill());
  const words: string[] = [];
  for (const stream of [bot.stdout, bot.stderr])
    stream.on('data', (data: Buffer) => words.push(String(data)));
  const tower = new Tower(TOWER_X, TOWER_Z);
  const height = (): number => tower.height(room.peer.diagnostics.bodies);
  await expect.poll(height, { interval: 100, timeout: 120_000 }).toBeGreaterThanOrEqual(3);
  expect(words.join('')).toContain(`In room ${room.code}.`);
  expect(room.players.map(({ name }) => name)).toContain('Robot');
});

test('the bot without a link says in a sentence what it needs', () => {
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', 'examples/stacking-bot/bot.js'],
    {
      encoding: 'utf8',
    },
  );
  expect([status, stderr]).toEqual([1, 'Give the link of a room: node bot.js LINK\n']);
});
