import { metaQuest3, XRDevice, XRReferenceSpaceType, XRSystem, XRWebGLLayer } from 'iwer';
import { vi } from 'vitest';
import type { Pose, ReadonlyPose } from '../../../src/core/base/math.ts';

type Controller = NonNullable<XRDevice['controllers']['left']>;
type TrackedHand = NonNullable<XRDevice['hands']['left']>;

/**
 * A Quest 3 without a browser. WebXR's sessions, spaces, sources and frames are iwer's; simple substitutes
 * stand for the browser's parts around them (a canvas, points, a display's clock). So a test controls every
 * frame.
 */
export type Headset = {
  readonly device: XRDevice;
  readonly space: XRReferenceSpace;
  /** Returns the session's sources as of the last frame. */
  readonly sources: () => readonly XRInputSource[];
  /** Draws one frame. Everything that was set in iwer since the last frame is visible in it. */
  readonly frame: (draw: (frame: XRFrame) => void) => void;
  readonly left: Controller;
  readonly right: Controller;
  readonly leftHand: TrackedHand;
  readonly rightHand: TrackedHand;
};

class Point {
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly w: number;
  constructor(x = 0, y = 0, z = 0, w = 1) {
    [this.x, this.y, this.z, this.w] = [x, y, z, w];
  }
}

/** Opens a session on a new headset. Call `vi.unstubAllGlobals()` afterwards. */
export async function openHeadset(): Promise<Headset> {
  let display: FrameRequestCallback | undefined;
  vi.stubGlobal('DOMPointReadOnly', Point);
  vi.stubGlobal('localStorage', { getItem: () => null });
  vi.stubGlobal('window', { innerWidth: 640, innerHeight: 480, performance });
  vi.stubGlobal('requestAnimationFrame', (callback: FrameRequestCallback) => {
    display = callback;
    return 1;
  });
  const container = { dataset: {}, style: {} } as HTMLDivElement;
  const device = new XRDevice(metaQuest3, { canvasContainer: container, visibilityMask: null });
  const session = await new XRSystem(device).requestSession('immersive-vr', {
    requiredFeatures: ['local-floor'],
    optionalFeatures: ['hand-tracking'],
  });
  session.updateRenderState({ baseLayer: new XRWebGLLayer(session, blankContext(container)) });
  const space = await session.requestReferenceSpace(XRReferenceSpaceType.LocalFloor);
  const { controllers, hands } = device;
  return {
    device,
    space: space as unknown as XRReferenceSpace,
    sources: () => [...session.inputSources] as unknown as XRInputSource[],
    frame: (draw) => {
      let fault: Error | undefined = new Error('The headset has drawn no frame.');
      session.requestAnimationFrame((_time, frame) => {
        try {
          draw(frame as unknown as XRFrame);
          fault = undefined;
        } catch (error) {
          fault = new Error('A frame has failed.', { cause: error });
        }
      });
      display?.(0);
      // iwer only logs errors thrown in a frame.
      if (fault !== undefined) throw fault;
    },
    left: there(controllers.left),
    right: there(controllers.right),
    leftHand: there(hands.left),
    rightHand: there(hands.right),
  };
}

/** Moves a tracked object of iwer: a controller, a hand, or the headset. */
export function put(
  tracked: Pick<XRDevice, 'position' | 'quaternion'>,
  { position, rotation }: ReadonlyPose,
): void {
  tracked.position.set(position.x, position.y, position.z);
  tracked.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
}

/** Returns the pose of a tracked object of iwer. */
export function placeOf({ position: p, quaternion: q }: Pick<XRDevice, 'position' | 'quaternion'>): Pose {
  return { position: { x: p.x, y: p.y, z: p.z }, rotation: { x: q.x, y: q.y, z: q.z, w: q.w } };
}

/**
 * Returns a frame in which a source is not tracked, or its position is guessed or measured. In iwer all
 * positions are guessed.
 */
export function frameWith(
  frame: XRFrame,
  said: (space: XRSpace) => 'lost' | 'measured' | 'guessed',
): XRFrame {
  return {
    getViewerPose: (base: XRReferenceSpace) => frame.getViewerPose(base),
    getPose: (space: XRSpace, base: XRSpace) => {
      const pose = said(space) === 'lost' ? undefined : frame.getPose(space, base);
      return pose && { transform: pose.transform, emulatedPosition: said(space) === 'guessed' };
    },
    fillPoses: (spaces: XRSpace[], base: XRSpace, out: Float32Array) => {
      if (spaces.some((space) => said(space) === 'lost')) return false;
      return (frame as unknown as Filling).fillPoses(spaces, base, out);
    },
  } as unknown as XRFrame;
}

type Filling = { fillPoses(spaces: XRSpace[], base: XRSpace, out: Float32Array): boolean };

function there<T>(value: T | undefined): T {
  if (value === undefined) throw new Error('iwer has no such thing.');
  return value;
}

/** iwer clears the canvas before each frame and uses nothing else of it. */
function blankContext(container: HTMLDivElement): WebGLRenderingContext {
  const clear = (): void => {};
  return {
    canvas: { parentElement: container, width: 640, height: 480 },
    getParameter: () => [0, 0, 0, 0],
    clearColor: clear,
    clearDepth: clear,
    clearStencil: clear,
    clear,
  } as unknown as WebGLRenderingContext;
}
