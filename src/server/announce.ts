import { renderUnicodeCompact } from 'uqr';
import { isEverywhere, urlOf } from './addresses.ts';
import type { Server } from './server.ts';
import type { ServerSettings } from './settings.ts';

/**
 * What the terminal says once the server runs: where the pages are, and how a headset or a phone gets there.
 * @param addresses of this machine in its networks, the most likely first.
 * @param colour whether the terminal has colours; without them a scanner may not read the code.
 */
export function announcement(
  server: Server,
  settings: ServerSettings,
  addresses: readonly string[],
  colour: boolean,
): string {
  const secure = isEverywhere(settings.host) ? networkUrls(server.secureUrl, addresses) : [];
  const lines = ['', `  On this machine  ${server.url}`];
  if (settings.host !== undefined && server.secureUrl !== null && server.secureUrl !== server.url) {
    lines.push(`  Over HTTPS       ${server.secureUrl}`);
  }
  secure.forEach((url, i) => lines.push(`  ${i === 0 ? 'Headsets, phones' : '        or maybe'} ${url}`));
  if (secure.length > 0) {
    lines.push('', qrCode(secure[0], colour));
    if (settings.tlsFiles === null) {
      lines.push(
        '  The certificate is of our own making, so a browser warns once: accept it there to go on.',
      );
    }
  }
  if (server.stunPort !== null) lines.push(`  STUN answers at UDP port ${server.stunPort}.`);
  return `${lines.join('\n')}\n`;
}

/** Where other machines find the pages over HTTPS: by IPv4 if there is any, since people type it. */
function networkUrls(secureUrl: string | null, addresses: readonly string[]): string[] {
  if (secureUrl === null) return [];
  const port = Number(new URL(secureUrl).port || 443);
  const plain = addresses.filter((address) => !address.includes(':'));
  return (plain.length > 0 ? plain : addresses).map((address) => urlOf('https', address, port));
}

/** Two rows a line, light on dark as terminals mostly are; with colours, dark on light for any scanner. */
function qrCode(text: string, colour: boolean): string {
  const code = renderUnicodeCompact(text, { border: 2 });
  const paint = (line: string): string => (colour ? `\x1b[97;40m${line}\x1b[0m` : line);
  return code
    .split('\n')
    .map((line) => `  ${paint(line)}`)
    .join('\n');
}
