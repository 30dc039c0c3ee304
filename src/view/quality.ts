/**
 * How much time a picture may take. `modest` is for software renderers: they have no time for smooth edges
 * and round shapes, and must leave processor time for the physics.
 */
export type Quality = 'full' | 'modest';

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let detected: Quality | undefined;

/** Returns the quality for this browser; it is detected once. */
export function detectQuality(): Quality {
  detected ??= SOFTWARE.test(rendererName()) ? 'modest' : 'full';
  return detected;
}

/** Returns the renderer's name from WebGL, or ''. */
function rendererName(): string {
  const probe = document.createElement('canvas').getContext('webgl2');
  if (probe === null) return '';
  const info = probe.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = probe.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? probe.RENDERER);
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  return typeof name === 'string' ? name : '';
}
