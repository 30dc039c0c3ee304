import type { Renderer3d } from '../renderer.ts';

/** `vr`: our world all around. `ar`: our bodies in the player's own room. */
export type HeadsetMode = 'vr' | 'ar';

const SESSION_MODES = { vr: 'immersive-vr', ar: 'immersive-ar' } as const;
/**
 * All optional, so that no device refuses the session. `unbounded` is not among them: asking for it, even so,
 * makes some headsets refuse.
 */
const FEATURES = ['local-floor', 'bounded-floor', 'hand-tracking'];
/** Frames a second that a headset keeps up without a break, where it offers a choice. */
const STEADY_RATE = 90;
/** 0 to 1: how much coarser the rim of the picture may be; half of it is not noticed in motion. */
const FOVEATION = 0.5;
/** Metres from the floor to the eyes, where a device does not know its floor. */
const EYE_HEIGHT = 1.6;

/** What there is to enter here; nothing where there is no headset, or the page is not secure. */
export async function offeredModes(): Promise<readonly HeadsetMode[]> {
  const found = await Promise.all(
    (['vr', 'ar'] as const).map(async (mode) => ((await isOffered(mode)) ? [mode] : [])),
  );
  return found.flat();
}

/**
 * The picture in a headset: entering, leaving, and what WebXR gives for each frame. It tells nobody when the
 * player leaves: whoever draws sees it before the next frame.
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

  /** The space in which poses are told: its origin is on the floor. */
  get space(): XRReferenceSpace | null {
    return this.#space;
  }

  /** The frame that is being drawn; null outside of one. */
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
    // A refused one may end when the next has begun.
    session.addEventListener('end', () => {
      if (this.#session === session) this.#forget();
    });
    const { xr } = this.#renderer.webgl;
    xr.enabled = true;
    xr.setFoveation(FOVEATION);
    const space = await floorOf(session);
    xr.setReferenceSpaceType(space.kind);
    await xr.setSession(session);
    // It may have been taken off by now.
    if (this.#session !== session) throw new Error('the session has ended');
    xr.setReferenceSpace(space.space);
    this.#space = space.space;
    this.#mode = mode;
    const rate = steadyRate(session.supportedFrameRates);
    if (rate !== null) void session.updateTargetFrameRate(rate).catch(() => undefined);
  }

  /** Back to the screen. */
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

/** The space with its origin on the floor, or, where the device knows none, as if the player stood. */
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

/** The highest rate that is steady; the lowest, if none is; null where there is no choice. */
export function steadyRate(rates: ArrayLike<number> | undefined): number | null {
  const offered = Array.from(rates ?? []).sort((a, b) => a - b);
  return offered.filter((rate) => rate <= STEADY_RATE).at(-1) ?? offered.at(0) ?? null;
}
