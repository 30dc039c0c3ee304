import { createHash } from 'node:crypto';

/** `'self'` does not cover WebSockets in every browser. */
const OWN_SERVER = ["'self'", 'ws:', 'wss:', 'data:', 'blob:'];

/**
 * The Content Security Policy of a page: what it may load and do. The scripts that stand in its HTML are allowed by
 * their hashes. WebRTC is not governed by it.
 * @param broker the origin of a broker elsewhere; null for the page's own server.
 */
export function contentSecurityPolicy(html: string, broker: string | null): string {
  return [
    ...policyInPage(html, [...OWN_SERVER, ...(broker === null ? [] : [broker])]),
    "frame-ancestors 'self'",
  ].join('; ');
}

/** The policy that a built page carries in itself, for static sites: their config.json may name any broker. */
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
