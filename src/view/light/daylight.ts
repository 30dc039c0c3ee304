import type { IUniform, Scene, WebGLRenderer } from 'three';
import {
  BackSide,
  DepthTexture,
  LessEqualCompare,
  LinearFilter,
  Matrix4,
  OrthographicCamera,
  RedFormat,
  ShaderMaterial,
  UnsignedIntType,
  Vector3,
  WebGLRenderTarget,
} from 'three';
import type { Quality } from '../quality.ts';

/**
 * All light of the room: one sun with a soft shadow, a sky, the floor's reflection, and air that fades
 * everything into the horizon's colour.
 *
 * It must be fast in a software renderer too, where every operation of a fragment shader costs time. So
 * everything but the shadow is computed at the vertices. Light is summed in units whose square root is the
 * display value. That is close enough to sRGB, and a slot's colour in full light is drawn exactly as in
 * slots.ts.
 */

/** Objects on this layer cast shadows. three uses layers 1 and 2 for the two eyes in a headset. */
export const CASTS_SHADOW = 3;
/** Texels along the side of the sun's shadow map: 1.8 cm each for a play area of 18 m. */
const SHADOW_TEXELS = 1024;
/** Metres from the middle of the play area to the sun's camera: above everything that may fall. */
const SUN_DISTANCE = 80;
/** The direction to the sun: about 55° high, over the left shoulder of a viewer who looks along -z. */
const TO_SUN = new Vector3(-0.42, 1, 0.56).normalize();

const LIGHT = /* glsl */ `
  const vec3 SUN = vec3(0.74, 0.685, 0.60);
  const vec3 SKY = vec3(0.46, 0.52, 0.60);
  const vec3 BOUNCE = vec3(0.28, 0.27, 0.255);
  const vec3 HORIZON = vec3(0.83, 0.875, 0.91);
  const vec3 ZENITH = vec3(0.17, 0.39, 0.78);
  const vec3 TO_SUN = vec3(${TO_SUN.toArray().map(glslFloat).join(', ')});

  /** How much of a colour comes through the air between it and the eye, 0 to 1. */
  float clearness(vec3 world) {
    vec3 way = (world - cameraPosition) / 78.0;
    float clear = 1.0 / (1.0 + dot(way, way));
    return clear * clear;
  }
`;

/** For vertex shaders: the light of a matte surface without its shadow. */
export const LIT_VERTEX = /* glsl */ `
  ${LIGHT}
  uniform mat4 sunMatrix;
  varying vec3 vShade;
  varying vec3 vSunny;
  varying vec3 vSun;

  /** Where a point lies in the sun's shadow map. */
  void findShadow(vec3 world, vec3 normal) {
    // The map contains the sides that face away from the sun, so a lit surface never shadows itself. It is read
    // a little below the surface, so that there is no bright gap at the foot of a body; and a little before a wall,
    // so that the body above, whose wall goes on in the same plane, casts no ragged shadow along the joint.
    vec3 shift = vec3(normal.x * 0.03, max(normal.y, 0.0) * -0.012, normal.z * 0.03);
    vSun = (sunMatrix * vec4(world + shift, 1.0)).xyz;
  }

  /** 'openness' is how much of the sky the surface sees, 0 to 1. */
  void light(vec3 world, vec3 normal, vec3 albedo, float openness) {
    findShadow(world, normal);
    float clear = clearness(world);
    // One side of the sky is brighter, so that two sides in the shade look different.
    float side = 1.0 + 0.15 * dot(normal, vec3(0.8, 0.0, 0.6));
    vec3 sky = mix(BOUNCE, SKY, normal.y * 0.5 + 0.5) * side * openness;
    vShade = albedo * sky * clear + HORIZON * (1.0 - clear);
    vSunny = albedo * SUN * max(dot(normal, TO_SUN), 0.0) * clear;
  }
`;

/** For fragment shaders: the shadow, and the conversion to display values. */
export const LIT_FRAGMENT = /* glsl */ `
  ${LIGHT}
  uniform highp sampler2DShadow sunShadow;
  varying vec3 vShade;
  varying vec3 vSunny;
  varying vec3 vSun;

  float tap(float x, float y) {
    return texture(sunShadow, vec3(vSun.xy + vec2(x, y) * ${glslFloat(1 / SHADOW_TEXELS)}, vSun.z));
  }

  /** 0 in the shade, 1 in the sun. */
  float sunlit() {
    #ifdef SOFT_SHADOWS
      float lit = 0.125 * (tap(-0.3, -0.75) + tap(0.75, -0.3) + tap(0.3, 0.75) + tap(-0.75, 0.3)
        + tap(-1.6, -0.8) + tap(0.8, -1.6) + tap(1.6, 0.8) + tap(-0.8, 1.6));
    #else
      float lit = 0.5 * (tap(-0.6, 0.3) + tap(0.6, -0.3));
    #endif
    vec2 off = abs(vSun.xy - 0.5);
    return max(off.x, off.y) > 0.497 ? 1.0 : lit;
  }

  vec4 display(vec3 colour) {
    return vec4(sqrt(colour), 1.0);
  }
`;

/** For shaders that draw the sky: its display colour in a direction. */
export const SKY = /* glsl */ `
  ${LIGHT}
  vec3 sky(vec3 direction) {
    float height = max(direction.y, 0.0);
    vec3 colour = mix(HORIZON, ZENITH, 1.0 - exp(-height * 3.3));
    float glow = max(dot(direction, TO_SUN), 0.0);
    return sqrt(colour + vec3(0.16, 0.12, 0.06) * glow * glow * glow);
  }
`;

/**
 * For fragment shaders with wide gradients: noise of less than one step of 8 bits, so that no bands are
 * visible.
 */
export const DITHER = /* glsl */ `
  float dither() {
    return (fract(52.9829189 * fract(dot(gl_FragCoord.xy, vec2(0.06711056, 0.00583715)))) - 0.5) / 255.0;
  }
`;

/** For fragment shaders of the ground: a faint grid of metres, and of five metres. */
export const GRID = /* glsl */ `
  /** How much of a pixel the lines of a grid cover; where lines get thinner than pixels they fade. */
  float grid(vec2 place, float spacing, float width) {
    vec2 at = place / spacing;
    vec2 pixel = fwidth(at);
    vec2 drawn = max(vec2(width / spacing), pixel);
    vec2 away = abs(fract(at - 0.5) - 0.5);
    vec2 line = clamp((drawn * 0.5 - away) / pixel + 0.5, 0.0, 1.0);
    line *= width / spacing / drawn * clamp(1.5 - 4.0 * max(pixel.x, pixel.y), 0.0, 1.0);
    return max(line.x, line.y);
  }

  /** How much darker the ground is at a place, in metres along x and z; 0 to 1. */
  float gridInk(vec2 place) {
    return 0.17 * max(grid(place, 1.0, 0.013), grid(place, 5.0, 0.028));
  }
`;

/** Returns a number as GLSL writes a float. */
function glslFloat(value: number): string {
  return Number.isInteger(value) ? value.toFixed(1) : String(value);
}

/** The uniforms that all lit materials share. */
export type Light = {
  readonly uniforms: Record<'sunMatrix' | 'sunShadow', IUniform>;
  readonly defines: Record<string, number>;
};

/** The sun of one world: its shadow map, and the uniforms for lit materials. */
export class Sun {
  readonly light: Light;
  readonly #matrix = new Matrix4();
  readonly #camera = new OrthographicCamera();
  readonly #texture = new DepthTexture(SHADOW_TEXELS, SHADOW_TEXELS, UnsignedIntType);
  readonly #target: WebGLRenderTarget;
  readonly #depth = depthMaterial();

  constructor(quality: Quality) {
    this.#texture.compareFunction = LessEqualCompare;
    this.#texture.minFilter = LinearFilter;
    this.#texture.magFilter = LinearFilter;
    this.#target = new WebGLRenderTarget(SHADOW_TEXELS, SHADOW_TEXELS, {
      depthTexture: this.#texture,
      format: RedFormat,
    });
    this.light = {
      uniforms: { sunMatrix: { value: this.#matrix }, sunShadow: { value: this.#texture } },
      defines: quality === 'full' ? { SOFT_SHADOWS: 1 } : {},
    };
    this.#camera.layers.set(CASTS_SHADOW);
  }

  /**
   * Sets the area with shadows: a ball around the middle of the floor.
   * @param radius in metres.
   */
  cover(radius: number): void {
    const camera = this.#camera;
    camera.left = camera.bottom = -radius;
    camera.right = camera.top = radius;
    camera.near = 1;
    camera.far = SUN_DISTANCE + radius;
    camera.position.copy(TO_SUN).multiplyScalar(SUN_DISTANCE);
    camera.lookAt(0, 0, 0);
    camera.updateMatrixWorld();
    camera.updateProjectionMatrix();
    this.#matrix
      .makeTranslation(0.5, 0.5, 0.5)
      .scale(HALF)
      .multiply(camera.projectionMatrix)
      .multiply(camera.matrixWorldInverse);
  }

  /** Draws the shadow map. Call it before the scene is drawn. */
  castShadows(webgl: WebGLRenderer, scene: Scene): void {
    const target = webgl.getRenderTarget();
    const inHeadset = webgl.xr.enabled;
    // Otherwise three would use the headset's eyes in place of the sun's camera.
    webgl.xr.enabled = false;
    webgl.autoClearColor = false;
    scene.overrideMaterial = this.#depth;
    webgl.setRenderTarget(this.#target);
    webgl.render(scene, this.#camera);
    webgl.setRenderTarget(target);
    scene.overrideMaterial = null;
    webgl.autoClearColor = true;
    webgl.xr.enabled = inHeadset;
  }

  dispose(): void {
    this.#texture.dispose();
    this.#target.dispose();
    this.#depth.dispose();
  }
}

const HALF = new Vector3(0.5, 0.5, 0.5);

function depthMaterial(): ShaderMaterial {
  return new ShaderMaterial({
    name: 'depth',
    colorWrite: false,
    side: BackSide,
    vertexShader: /* glsl */ `
      void main() {
        vec4 world = vec4(position, 1.0);
        #ifdef USE_INSTANCING
          world = instanceMatrix * world;
        #endif
        gl_Position = projectionMatrix * modelViewMatrix * world;
      }
    `,
    fragmentShader: 'void main() {}',
  });
}
