import type { Renderer3d } from '../renderer.ts';

/** `vr`: the player sees only our world. `ar`: the player sees our bodies in its real room. */
export type HeadsetMode = 'vr' | 'ar';

const SESSION_MODES = { vr: 'immersive-vr', ar: 'immersive-ar' } as const;
/**
 * All are optional, so that no device refuses the session. `unbounded` is missing, because some headsets
 * refuse the session even if it is optional.
 */
const FEATURES = ['local-floor', 'bounded-floor', 'hand-tracking'];
/** Frames per second that a headset can keep up, if it offers several rates. */
const STEADY_RATE = 90;
/** 0 to 1: how much coarser the edge of the picture may be. Nobody notices 0.5 in motion. */
const FOVEATION = 0.5;
/** Metres from the floor to the eyes, for devices that do not know their floor. */
const EYE_HEIGHT = 1.6;

/** Returns the modes of this device; empty without a headset, or if the page is not secure. Never rejects. */
export async function offeredModes(): Promise<readonly HeadsetMode[]> {
  const found = await Promise.all(
    (['vr', 'ar'] as const).map(async (mode) => ((await isOffered(mode)) ? [mode] : [])),
  );
  return found.flat();
}

/**
 * The picture in a headset: entering, leaving, and WebXR's objects for each frame. It has no event for
 * leaving: check `session` before each frame.
 */
export class HeadsetDisplay {
  readonly #renderer: Renderer3d;
  #session: XRSession | null = null;
  #mode: HeadsetMode | null = null;
  #space: XRReferenceSpace | null = null;
  #entering = false;

  constructor(renderer: Renderer3d) {
    this.#renderer = renderer;
  }

  /** Null while no headset shows the world. */
  get mode(): HeadsetMode | null {
    return this.#mode;
  }

  /** Null while no headset shows the world. */
  get session(): XRSession | null {
    return this.#space === null ? null : this.#session;
  }

  /** The space of all poses: its origin is on the floor. Null without a session. */
  get space(): XRReferenceSpace | null {
    return this.#space;
  }

  /** The frame that is being drawn; null between frames. */
  get frame(): XRFrame | null {
    return this.session === null ? null : this.#renderer.webgl.xr.getFrame();
  }

  /**
   * Shows the world in the headset. Call it from a click.
   * @returns false if the device or the player refused.
   */
  async enter(mode: HeadsetMode): Promise<boolean> {
    if (this.#session !== null || this.#entering) return false;
    this.#entering = true;
    try {
      await this.#begin(mode);
      return true;
    } catch {
      this.leave();
      this.#forget();
      return false;
    } finally {
      this.#entering = false;
    }
  }

  async #begin(mode: HeadsetMode): Promise<void> {
    const session = await navigator.xr?.requestSession(SESSION_MODES[mode], { optionalFeatures: FEATURES });
    if (session === undefined) throw new Error('there is no headset');
    this.#session = session;
    // A refused session may end after the next one has begun.
    session.addEventListener('end', () => {
      if (this.#session === session) this.#forget();
    });
    const { xr } = this.#renderer.webgl;
    xr.enabled = true;
    xr.setFoveation(FOVEATION);
    const space = await floorOf(session);
    xr.setReferenceSpaceType(space.kind);
    await xr.setSession(session);
    // The session may have ended meanwhile.
    if (this.#session !== session) throw new Error('the session has ended');
    xr.setReferenceSpace(space.space);
    this.#space = space.space;
    this.#mode = mode;
    const rate = steadyRate(session.supportedFrameRates);
    if (rate !== null) void session.updateTargetFrameRate(rate).catch(() => undefined);
  }

  /** Leaves the headset. */
  leave(): void {
    void this.#session?.end().catch(() => undefined);
  }

  #forget(): void {
    this.#session = null;
    this.#mode = null;
    this.#space = null;
  }
}

async function isOffered(mode: HeadsetMode): Promise<boolean> {
  try {
    return (await navigator.xr?.isSessionSupported(SESSION_MODES[mode])) === true;
  } catch {
    return false;
  }
}

/**
 * Returns the space with its origin on the floor. If the device does not know its floor, the height of a
 * standing player is assumed.
 */
async function floorOf(
  session: XRSession,
): Promise<{ kind: 'local-floor' | 'local'; space: XRReferenceSpace }> {
  try {
    return { kind: 'local-floor', space: await session.requestReferenceSpace('local-floor') };
  } catch {
    const eyes = await session.requestReferenceSpace('local');
    const floor = new XRRigidTransform({ x: 0, y: -EYE_HEIGHT, z: 0 });
    return { kind: 'local', space: eyes.getOffsetReferenceSpace(floor) };
  }
}

/** Returns the highest rate up to STEADY_RATE; the lowest if all are higher; null if there is no choice. */
export function steadyRate(rates: ArrayLike<number> | undefined): number | null {
  const offered = Array.from(rates ?? []).sort((a, b) => a - b);
  return offered.filter((rate) => rate <= STEADY_RATE).at(-1) ?? offered.at(0) ?? null;
}
