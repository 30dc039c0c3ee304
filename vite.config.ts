import type { Plugin } from 'vite';
import { defineConfig } from 'vite';
import { policyOfStaticPage } from './src/server/content-security-policy.ts';

/** A built page carries its Content Security Policy in itself: a static site may send no headers. */
const policy: Plugin = {
  name: 'content-security-policy',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html) => [
      {
        tag: 'meta',
        attrs: { 'http-equiv': 'Content-Security-Policy', content: policyOfStaticPage(html) },
        injectTo: 'head-prepend',
      },
    ],
  },
};

export default defineConfig({
  // Relative, so that a static site may be in any folder.
  base: './',
  plugins: [policy],
  publicDir: 'assets',
  build: {
    target: 'es2023',
    // By this the build is weighed (src/tools/page-weight.ts).
    manifest: true,
    // The licences of what is bundled ask to travel with it.
    license: { fileName: 'third-party-notices.md' },
    // The physics engine carries its WebAssembly inside its script; it is not going to be small.
    chunkSizeWarningLimit: 6144,
  },
  // The lab's worker imports its engines late, which the default format cannot.
  worker: { format: 'es' },
  // All are found late, behind imports() of rooms; preparing them at the start spares the first page a reload.
  optimizeDeps: {
    // Other pages in this folder are projects of their own: examples, and the template of create-handover.
    entries: ['index.html'],
    include: [
      '@dimforge/rapier3d-compat',
      '@dimforge/rapier3d-deterministic-compat',
      '@dimforge/rapier3d-simd-compat',
      'three',
    ],
  },
  server: { watch: { ignored: ['**/test/**', '**/dist/**', '**/dist-package/**'] } },
});
