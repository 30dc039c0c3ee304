import { createServer } from 'node:net';
import { PeerServer } from 'peer';
import { defineConfig } from 'vite';

const BROKER_PORT = Number(process.env.BROKER_PORT ?? 9000);

/** Runs a broker beside Vite's server: pages find each other by it, and then play without it. */
const broker = {
  name: 'broker',
  configureServer: async () => {
    if (await isFree(BROKER_PORT)) PeerServer({ port: BROKER_PORT, host: '127.0.0.1' });
    else {
      console.error(
        `Port ${BROKER_PORT} is in use. Choose another one: BROKER_PORT=${BROKER_PORT + 1} npm start`,
      );
      process.exit(1);
    }
  },
};

/** True if nothing listens at a port yet. */
function isFree(port) {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once('error', () => resolve(false));
    probe.listen(port, '127.0.0.1', () => probe.close(() => resolve(true)));
  });
}

export default defineConfig({
  plugins: [broker],
  define: { BROKER: JSON.stringify(`http://127.0.0.1:${BROKER_PORT}/`) },
  // The page waits at its top for the engine and for the room.
  build: { target: 'es2022' },
});
