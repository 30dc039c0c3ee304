import type { Slot } from '../../../src/core/base/ids.ts';
import { fromAxisAngle, pose, setVector, vector } from '../../../src/core/base/math.ts';
import type { Microphone, MicrophoneFailure } from '../../../src/sound/microphone.ts';
import { openMicrophone } from '../../../src/sound/microphone.ts';
import { VoiceSpace } from '../../../src/sound/voice-space.ts';
import { tapSpeakers } from '../../support/pages/speakers.ts';

/** A page that speaks to itself through a real call, and measures what would come out of the speakers. */

const FRIEND = 1 as Slot;
/** Samples, the most that can be had: 0.7 s at 48 kHz, so that there is always a beep among them. */
const EAR_WINDOW = 32768;
const samples = new Float32Array(EAR_WINDOW);

const space = new VoiceSpace();
const head = pose();
const friend = vector(0, 0, -1);
let microphone: Microphone | undefined;
let ended = 0;

tapSpeakers(EAR_WINDOW);

/** The objects that the tests drive; each is the thing itself, not a copy. */
const page = {
  space,
  friend: FRIEND,
  get microphone(): Microphone {
    if (microphone === undefined) throw new Error('There is no microphone.');
    return microphone;
  },
  /** How often a microphone has ended by itself. */
  get ended(): number {
    return ended;
  },
  /** The signal that goes to the speakers. */
  get audio(): AudioContextState | undefined {
    return (window.ears?.[0].context as AudioContext | undefined)?.state;
  },

  async open(): Promise<'open' | MicrophoneFailure> {
    const answer = await openMicrophone(() => ended++);
    if (answer.kind === 'none') return answer.reason;
    microphone = answer.microphone;
    return 'open';
  },

  /** A call that carries these tracks to the friend's slot; without any, one that carries silence. */
  async call(tracks: readonly MediaStreamTrack[] = []): Promise<boolean> {
    const received = await callOneself(tracks);
    return space.add(FRIEND, received);
  },

  /** Metres of the friend's head along x and z; of the own one along x, and radians that it is turned to the left. */
  stand(x: number, z: number, ownX = 0, turn = 0): void {
    setVector(friend, x, 1.7, z);
    setVector(head.position, ownX, 1.7, 0);
    fromAxisAngle({ x: 0, y: 1, z: 0 }, turn, head.rotation);
  },

  /** The peaks of what went to the speakers in the last 0.7 s, left and right. */
  get output(): { left: number; right: number } {
    const [left, right] = (window.ears ?? []).map(peak);
    return { left, right };
  },

  /** The highest of something, read sixty times a second for so many seconds. */
  async highest(read: () => number, seconds: number): Promise<number> {
    let highest = 0;
    for (const end = performance.now() + seconds * 1000; performance.now() < end;) {
      highest = Math.max(highest, read());
      await new Promise((resolve) => {
        setTimeout(resolve, 16);
      });
    }
    return highest;
  },
};

export type VoicePage = typeof page;

declare global {
  interface Window {
    voicePage?: VoicePage;
  }
}

window.voicePage = page;
requestAnimationFrame(function frame() {
  space.place(FRIEND, friend);
  space.listen(head);
  requestAnimationFrame(frame);
});

/** Whoever evaluates something in a page counts as a player who touches it; so `?untouched` tells by itself. */
if (location.search === '?untouched') {
  await page.call();
  setInterval(() => console.log(space.blocked ? 'blocked' : 'free'), 50);
}

function peak(ear: AnalyserNode): number {
  ear.getFloatTimeDomainData(samples);
  return samples.reduce((highest, sample) => Math.max(highest, Math.abs(sample)), 0);
}

/** One connection within the page, with all that two machines would do; what its far end receives. */
async function callOneself(tracks: readonly MediaStreamTrack[]): Promise<MediaStream> {
  const [near, far] = [new RTCPeerConnection(), new RTCPeerConnection()];
  near.onicecandidate = ({ candidate }) => void far.addIceCandidate(candidate ?? undefined);
  far.onicecandidate = ({ candidate }) => void near.addIceCandidate(candidate ?? undefined);
  const received = new Promise<MediaStream>((resolve) => {
    far.ontrack = ({ track }) => {
      resolve(new MediaStream([track]));
    };
  });
  if (tracks.length === 0) near.addTransceiver('audio');
  for (const track of tracks) near.addTrack(track);
  const offer = await near.createOffer();
  await near.setLocalDescription(offer);
  await far.setRemoteDescription(offer);
  const answer = await far.createAnswer();
  await far.setLocalDescription(answer);
  await near.setRemoteDescription(answer);
  return received;
}
