import type { IncomingMessage } from 'node:http';

/**
 * False for a request that a page of another site makes, as browsers say it.
 * @param site the header Sec-Fetch-Site; undefined from programs and older browsers.
 */
export function isOwnPage(site: string | string[] | undefined): boolean {
  return site === undefined || site === 'same-origin' || site === 'none';
}

/**
 * The same for a WebSocket, with which Chromium sends no Sec-Fetch-Site: its Origin must be of the host that is asked. A
 * proxy must pass on the visitor's Host, or say it in X-Forwarded-Host: neither header is a page's to choose. Ports do not
 * count, since proxies leave them out, and a site is one whatever its ports.
 */
export function isOwnSocket({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const { origin, host } = headers;
  if (!isOwnPage(headers['sec-fetch-site'])) return false;
  if (origin === undefined) return true;
  const from = hostnameOf(origin);
  const asked = [host, headers['x-forwarded-host']].map(String);
  return from !== null && asked.some((one) => hostnameOf(`http://${one}`) === from);
}

function hostnameOf(url: string): string | null {
  return URL.canParse(url) ? new URL(url).hostname : null;
}
