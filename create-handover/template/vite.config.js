import { PeerServer } from 'peer';
import { defineConfig } from 'vite';

const BROKER_PORT = Number(process.env.BROKER_PORT ?? 9000);

/** Runs a broker beside Vite's server: pages find each other by it, and then play without it. */
const broker = {
  name: 'broker',
  configureServer: () => void PeerServer({ port: BROKER_PORT, host: '127.0.0.1' }),
};

export default defineConfig({
  plugins: [broker],
  define: { BROKER: JSON.stringify(`http://127.0.0.1:${BROKER_PORT}/`) },
  // The page waits at its top for the engine and for the room.
  build: { target: 'es2022' },
});
