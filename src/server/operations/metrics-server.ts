import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Registry } from 'prom-client';
import { takePort } from '../ports.ts';
import type { MetricsSettings } from '../settings/settings.ts';

/** The port of /metrics; its owner closes it. */
export type MetricsServer = { readonly port: number; close(): Promise<void> };

/**
 * Answers /metrics at a port of its own, which the pages' visitors need not reach.
 * @throws SetupError with one sentence if the port can't be used.
 */
export async function startMetrics(
  { port, host }: MetricsSettings,
  registry: Registry,
): Promise<MetricsServer> {
  const server = createServer((request, response) => {
    if (request.url !== '/metrics' || request.method !== 'GET') {
      response.writeHead(404).end();
      return;
    }
    registry.metrics().then(
      (text) => response.writeHead(200, { 'Content-Type': registry.contentType }).end(text),
      () => response.writeHead(500).end(),
    );
  });
  await takePort(port, 'METRICS_PORT', (at) => listen(server, at, host));
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen({ port, host }, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
