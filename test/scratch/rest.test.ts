import { test } from 'vitest';
import { loadPhysics, createRapierSimulation } from '../../src/physics/rapier-simulation.ts';
import { RoomHarness } from '../../src/harness/room.ts';
test('rest', async () => {
  await loadPhysics();
  const room = new RoomHarness({ players: 2, scene: { id: 'workshop', seed: 1 }, bots: 'idle', seed: 1, conditions: {}, quietFrom: 0 }, createRapierSimulation);
  for (let t = 0; t < 2400; t++) {
    room.step();
    if (t % 200 === 199) {
      const { records, motion } = room.peers[0].diagnostics.bodies;
      const awake: string[] = [];
      for (let b = 0; b < records.count; b++) if (records.resting[b] === 0) awake.push(b + ':' + Math.hypot(motion[b*13+7], motion[b*13+8], motion[b*13+9]).toFixed(4)+','+Math.hypot(motion[b*13+10], motion[b*13+11], motion[b*13+12]).toFixed(3));
      console.log(t, awake.join(' '));
    }
  }
});
