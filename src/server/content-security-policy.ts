import { createHash } from 'node:crypto';

/** `'self'` does not include WebSockets in every browser. */
const OWN_SERVER = ["'self'", 'ws:', 'wss:', 'data:', 'blob:'];

/**
 * Returns a page's Content Security Policy: what the page may load and do. Scripts inside its HTML are
 * allowed by their hashes. The policy does not apply to WebRTC.
 * @param broker the origin of a broker elsewhere; null for the page's own server.
 */
export function contentSecurityPolicy(html: string, broker: string | null): string {
  return [
    ...policyInPage(html, [...OWN_SERVER, ...(broker === null ? [] : [broker])]),
    "frame-ancestors 'self'",
  ].join('; ');
}

/** Returns the policy inside a built page, for static sites. Their config.json may name any broker. */
export function policyOfStaticPage(html: string): string {
  return policyInPage(html, [...OWN_SERVER, 'http:', 'https:']).join('; ');
}

function policyInPage(html: string, connect: readonly string[]): string[] {
  const inline = [...html.matchAll(/<script(?![^>]*\ssrc=)[^>]*>([^]*?)<\/script>/g)].map(([, script]) => {
    return `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  });
  return [
    "default-src 'self'",
    // The physics engine is WebAssembly.
    ["script-src 'self' 'wasm-unsafe-eval'", ...inline].join(' '),
    "worker-src 'self' blob:",
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' data: blob:",
    `connect-src ${connect.join(' ')}`,
    "object-src 'none'",
    "base-uri 'none'",
    "form-action 'self'",
  ];
}
