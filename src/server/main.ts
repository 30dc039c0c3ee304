import { networkAddresses } from './addresses.ts';
import { announcement } from './announce.ts';
import type { Server } from './server.ts';
import { startServer } from './server.ts';
import type { Mode } from './settings/settings.ts';
import { readSettings } from './settings/settings.ts';
import { SetupError } from './settings/reading.ts';
import { USAGE } from './settings/variables.ts';

/** `npm start` and `npm run serve`. */
async function main(words: readonly string[]): Promise<void> {
  const [mode, ...rest] = words;
  if (words.includes('--help')) {
    process.stdout.write(`${USAGE}\n`);
    return;
  }
  if (!isMode(mode)) throw new SetupError('Say start or serve; see --help.');
  if (rest.length > 0) {
    throw new SetupError(`Settings come from the environment, not as "${rest[0]}"; see --help.`);
  }
  const settings = readSettings(mode, process.env);
  const server = await startServer(settings);
  process.stdout.write(announcement(server, settings, networkAddresses(), process.stdout.isTTY));
  endOnSignal(server);
}

function isMode(word: string | undefined): word is Mode {
  return word === 'start' || word === 'serve';
}

/** The first signal closes the server in order, the second one ends the process at once. */
function endOnSignal(server: Server): void {
  let ending = false;
  const end = (): void => {
    if (ending) process.exit(1);
    ending = true;
    void server.close().finally(() => process.exit(0));
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, end);
}

main(process.argv.slice(2)).catch((error: unknown) => {
  if (!(error instanceof SetupError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exit(1);
});
