/**
 * How much is spent on a picture. `modest` is for renderers in software, which have no time for smoothed edges
 * and rounder shapes, and must leave some of the processor to the physics.
 */
export type Quality = 'full' | 'modest';

const SOFTWARE = /swiftshader|llvmpipe|softpipe|software|basic render/i;

let detected: Quality | undefined;

/** The quality that suits this browser; found once. */
export function detectQuality(): Quality {
  detected ??= SOFTWARE.test(rendererName()) ? 'modest' : 'full';
  return detected;
}

/** What WebGL says about who draws, or '' if it does not. */
function rendererName(): string {
  const probe = document.createElement('canvas').getContext('webgl2');
  if (probe === null) return '';
  const info = probe.getExtension('WEBGL_debug_renderer_info');
  const name: unknown = probe.getParameter(info?.UNMASKED_RENDERER_WEBGL ?? probe.RENDERER);
  probe.getExtension('WEBGL_lose_context')?.loseContext();
  return typeof name === 'string' ? name : '';
}
