import type { PortWish } from './settings/settings.ts';
import { SetupError } from './settings/reading.ts';

/** How many ports after the wanted one are tried. */
const TRIES = 20;

/**
 * Takes the wanted port; if it is taken and may move, the next free one.
 * @param setting the name of the port's setting, for the error.
 * @param take binds a port, or rejects with the system's error.
 * @throws SetupError with one sentence.
 */
export async function takePort<T>(
  wish: PortWish,
  setting: string,
  take: (port: number) => Promise<T>,
): Promise<T> {
  const last = wish.movable ? Math.min(wish.port + TRIES, 65_535) : wish.port;
  for (let port = wish.port; ; port++) {
    try {
      return await take(port);
    } catch (error) {
      if (codeOf(error) !== 'EADDRINUSE' || port >= last) throw explain(error, setting, port);
    }
  }
}

function explain(error: unknown, setting: string, port: number): unknown {
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new SetupError(`Port ${port} is taken: stop what uses it, or set ${setting} to another one.`);
    case 'EACCES':
      return new SetupError(`Port ${port} is not allowed to this user: set ${setting} to one above 1023.`);
    case 'EADDRNOTAVAIL':
    case 'EINVAL':
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
      return new SetupError('HOST is not an address of this machine.');
    default:
      return error;
  }
}

function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
