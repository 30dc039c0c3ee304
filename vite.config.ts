import { defineConfig } from 'vite';

export default defineConfig({
  // Relative, so that a static site may be in any folder.
  base: './',
  publicDir: 'assets',
  build: {
    target: 'es2023',
    // By this the build is weighed (src/tools/page-weight.ts).
    manifest: true,
    // The physics engine carries its WebAssembly inside its script; it is not going to be small.
    chunkSizeWarningLimit: 6144,
  },
  // All are found late, behind imports() of rooms; preparing them at the start spares the first page a reload.
  optimizeDeps: {
    include: [
      '@dimforge/rapier3d-compat',
      '@dimforge/rapier3d-deterministic-compat',
      '@dimforge/rapier3d-simd-compat',
      'three',
    ],
  },
  server: { watch: { ignored: ['**/test/**', '**/dist/**'] } },
});
