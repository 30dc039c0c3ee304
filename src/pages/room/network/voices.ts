import { MAX_PLAYERS } from '../../../core/base/constants.ts';
import type { Slot } from '../../../core/base/ids.ts';
import type { ReadonlyPose } from '../../../core/base/math.ts';
import type { PeerView } from '../../../core/peer/shown/peer-view.ts';
import type { PublicKey } from '../../../core/room/identity/key.ts';
import type { VoiceState } from '../../../core/room/profile.ts';
import type { CallEvents } from '../../../transport/webrtc/calls.ts';
import type { Microphone } from '../../../sound/microphone.ts';
import { openMicrophone } from '../../../sound/microphone.ts';
import { VoiceSpace } from '../../../sound/voice-space.ts';
import { loadVoiceWish, saveVoiceWish } from '../../../storage/voice-wish.ts';
import type { VoiceFirst } from '../../headset/enter-buttons.ts';
import type { VoiceWish } from '../menu/menu-voice.ts';
import type { OwnVoice } from '../model.ts';
import type { GameSession } from '../session/session.ts';
import type { Speaker } from './circle.ts';
import { Circle } from './circle.ts';
import type { EarlyVoice } from './early-voice.ts';

/** Milliseconds between two updates of the calls. */
const UPDATE_EVERY_MS = 500;

/** The players that this page's player does not want to hear. They stay muted if either comes back to the room. */
const MUTED_HERE = new Set<PublicKey>();

/** The voices of a room: sends the player's voice to everybody, and plays each other voice from its player's head. */
export class Voices implements VoiceFirst {
  readonly #session: GameSession;
  readonly #space: VoiceSpace;
  readonly #circle = new Circle();
  /** The voices that come, by the page that speaks: the roster may name it later. */
  readonly #streams = new Map<string, MediaStream>();
  /** The voices that are played, by slot: a page that is loaded again has another id in its slot. */
  readonly #playing: (MediaStream | undefined)[] = [];
  readonly #events: CallEvents = {
    started: (id, stream) => {
      this.#streams.set(id, stream);
      this.#playAll();
    },
    ended: (id) => {
      this.#streams.delete(id);
      this.#playAll();
    },
  };
  #own: OwnVoice = { kind: 'off' };
  #microphone: Microphone | null = null;
  #updatedAt = -Infinity;
  /** The players of the roster by which voices were muted last. */
  #heardPlayers: readonly unknown[] | undefined;

  /** @param space plays the voices; it becomes these voices' own. */
  constructor(session: GameSession, space = new VoiceSpace()) {
    this.#session = session;
    this.#space = space;
  }

  /** The player has chosen voice before. */
  get isWanted(): boolean {
    return loadVoiceWish();
  }

  /** True while the microphone is open, or the browser asks for it. */
  get isOn(): boolean {
    return this.#microphone !== null || this.#own.kind === 'asking';
  }

  /** Keeps whether the player wants voice when it puts a headset on. */
  want(isWanted: boolean): void {
    saveVoiceWish(isWanted);
  }

  /** As `turnOn`. */
  ask(): Promise<void> {
    return this.turnOn();
  }

  /** The state of the player's own voice. */
  get own(): OwnVoice {
    if (this.#isVoiceless) return { kind: 'failed', failure: 'large room' };
    const isReached = !this.#circle.isLarge || this.#session.station.serverCalls?.isSpeaking === true;
    return this.#own.kind === 'on' && !isReached ? { kind: 'connecting' } : this.#own;
  }

  /** [N8.5] There is nobody whom it could call. */
  get #isVoiceless(): boolean {
    return this.#circle.isLarge && this.#session.station.serverCalls === null;
  }

  /** How loud the player speaks, 0 to 1: for the avatar. */
  get ownLevel(): number {
    return this.#microphone?.level ?? 0;
  }

  /** How loud a player is heard, 0 to 1. */
  level(slot: Slot): number {
    return slot === this.#session.slot ? this.ownLevel : this.#space.level(slot);
  }

  isMutedHere(slot: Slot): boolean {
    const key = this.#speakerIn(slot)?.key;
    return key !== undefined && MUTED_HERE.has(key);
  }

  /** True while the browser plays no sound because the player has not touched the page yet. */
  get blocked(): boolean {
    return this.#space.blocked;
  }

  /**
   * Asks for the microphone. Play goes on, whatever the answer is.
   * @param early the microphone that was asked for before the player was in the room, if any.
   */
  async turnOn(early: Promise<EarlyVoice> | null = null): Promise<void> {
    if (this.#microphone !== null || this.#own.kind === 'asking') return;
    this.#others();
    if (this.#isVoiceless) {
      (await early)?.giveBack();
      return;
    }
    this.#own = { kind: 'asking' };
    const end = (): void => this.turnOff();
    const answer = await (early === null ? openMicrophone(end) : (await early).take(end));
    if (answer.kind === 'none') {
      this.#own = { kind: 'failed', failure: answer.reason };
      return;
    }
    const { kind } = this.#session.status;
    if (kind === 'ended' || kind === 'left') {
      answer.microphone.stop();
      return;
    }
    this.#microphone = answer.microphone;
    this.#setOwn('on');
  }

  /** Does what the player wants of its own voice. */
  obey(wish: VoiceWish): void {
    if (wish === 'on') void this.turnOn();
    else if (wish === 'off') this.turnOff();
    else this.setMuted(wish === 'mute');
  }

  setMuted(muted: boolean): void {
    if (this.#microphone === null) return;
    this.#microphone.muted = muted;
    this.#setOwn(muted ? 'muted' : 'on');
  }

  turnOff(): void {
    this.#microphone?.stop();
    this.#microphone = null;
    this.#setOwn('off');
  }

  #setOwn(voice: VoiceState): void {
    this.#own = { kind: voice };
    this.#session.setProfile({ voice });
    this.#updatedAt = -Infinity;
  }

  /** Whether this player hears the player in a slot; nobody else is told. */
  setMutedHere(slot: Slot, muted: boolean): void {
    const key = this.#speakerIn(slot)?.key;
    if (key === undefined) return;
    if (muted) MUTED_HERE.add(key);
    else MUTED_HERE.delete(key);
    this.#muteAll();
  }

  /** Mutes players that say that their voice is off or muted, and those that this player does not want to hear. */
  #muteAll(): void {
    for (const { slot, key, isAudible } of this.#others())
      this.#space.setMuted(slot, !isAudible || MUTED_HERE.has(key));
  }

  /** Takes in calls, and calls the other players. Call it once a tick. */
  tick(nowMs: number): void {
    const { calls, serverCalls } = this.#session.station;
    calls.poll(this.#events);
    serverCalls?.poll(this.#events);
    const { roster } = this.#session;
    if (roster?.players !== this.#heardPlayers) {
      this.#heardPlayers = roster?.players;
      this.#muteAll();
      this.#playAll();
    }
    if (nowMs - this.#updatedAt < UPDATE_EVERY_MS) return;
    this.#updatedAt = nowMs;
    const others = this.#others();
    this.#call(others);
  }

  /** Plays each voice in the slot of its player, and no other. */
  #playAll(): void {
    const others = this.#others();
    for (let slot = 0; slot < MAX_PLAYERS; slot++) {
      const id = others.find((player) => player.slot === slot)?.id;
      const stream = id === undefined ? undefined : this.#streams.get(id);
      if (stream === this.#playing[slot]) continue;
      this.#playing[slot] = stream;
      this.#space.remove(slot as Slot);
      if (stream !== undefined) this.#space.add(slot as Slot, stream);
    }
  }

  #call(others: readonly Speaker[]): void {
    const { station, code } = this.#session;
    const stream = this.#microphone?.stream ?? null;
    const called = this.#circle.isLarge ? [] : others;
    station.calls.update(stream, idsOf(called), idsOf(called.filter(({ isPresent }) => isPresent)));
    // [N8.7]
    const isUsed = stream !== null || others.some(({ hasVoice }) => hasVoice);
    const wanted = this.#circle.isLarge && isUsed && code !== null ? { code, stream } : null;
    station.serverCalls?.update(wanted);
  }

  /** Puts the voices where the heads are. Call it once a frame. */
  frame(view: PeerView, head: ReadonlyPose): void {
    for (const avatar of view.avatars) {
      if (avatar.present && avatar.slot !== view.self) this.#space.place(avatar.slot, avatar.head.position);
    }
    this.#space.listen(head);
  }

  dispose(): void {
    this.#microphone?.stop();
    this.#microphone = null;
    this.#space.dispose();
  }

  #others(): readonly Speaker[] {
    return this.#circle.update(this.#session.roster, this.#session.slot);
  }

  #speakerIn(slot: Slot): Speaker | undefined {
    return this.#others().find((player) => player.slot === slot);
  }
}

function idsOf(speakers: readonly Speaker[]): string[] {
  return speakers.map(({ id }) => id);
}
