import { renderUnicodeCompact } from 'uqr';
import { isEverywhere, urlOf } from './addresses.ts';
import type { Server } from './server.ts';
import type { ServerSettings } from './settings/settings.ts';

/**
 * Returns the text for the terminal once the server runs: the addresses of the pages, and a QR code for
 * headsets and phones.
 * @param addresses of this machine in its networks, the most likely first.
 * @param colour whether the terminal has colours; without colours a scanner may not read the code.
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
        '  The server made its certificate itself, so each browser warns once: accept it there to go on.',
      );
    }
  }
  if (server.stunPort !== null) lines.push(`  STUN answers at UDP port ${server.stunPort}.`);
  return `${lines.join('\n')}\n`;
}

/**
 * Returns the HTTPS addresses for other machines: IPv4 only if there is any, because it is easier to type.
 */
function networkUrls(secureUrl: string | null, addresses: readonly string[]): string[] {
  if (secureUrl === null) return [];
  const port = Number(new URL(secureUrl).port || 443);
  const plain = addresses.filter((address) => !address.includes(':'));
  return (plain.length > 0 ? plain : addresses).map((address) => urlOf('https', address, port));
}

/**
 * Two rows of the code per line. Without colours the code fits terminals with light text on a dark
 * background; with colours every scanner can read it.
 */
function qrCode(text: string, colour: boolean): string {
  const code = renderUnicodeCompact(text, { border: 2 });
  const paint = (line: string): string => (colour ? `\x1b[97;40m${line}\x1b[0m` : line);
  return code
    .split('\n')
    .map((line) => `  ${paint(line)}`)
    .join('\n');
}
