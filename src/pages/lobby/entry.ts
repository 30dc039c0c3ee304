import type { Slot } from '../../core/base/ids.ts';
import { Random } from '../../core/base/random.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { randomRoomCode, readRoomCode } from '../../core/room/code.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { SceneChoice, SceneName } from '../../core/world/scene.ts';
import { isSameScene } from '../../core/world/scene.ts';
import { loadProfile, saveProfile } from '../../storage/profile.ts';
import type { StoredSeat } from '../../storage/seat.ts';
import { clearSeat, loadSeat, saveSeat } from '../../storage/seat.ts';
import type { PageConfig } from '../config.ts';
import { loadConfig } from '../config.ts';
import type { HeadsetMode } from '../../view/headset/display.ts';
import { offeredModes } from '../../view/headset/display.ts';
import { createEnterButtons } from '../headset/enter-buttons.ts';
import type { LobbyEntrance } from '../headset/lobby-entrance.ts';
import type { LobbyAction } from '../headset/panel/lobby-boxes.ts';
import { showReady } from '../panel/screens.ts';
import type { Entry } from '../room/session/room-session.ts';
import type { Failure } from '../room/sentences.ts';
import { FAILURES } from '../room/sentences.ts';
import type { GameSession } from '../room/session/session.ts';
import { RETURNING } from '../room/session/session.ts';
import type { Lobby, LobbyState } from './lobby-view.ts';
import { createLobby } from './lobby-view.ts';

/** Players in a room unless its host wants otherwise. */
const CAPACITY = 4;

/** What reads the world that was kept: a lobby without one needs none of it. */
const loadKept = (): Promise<typeof import('../../storage/kept-world.ts')> =>
  import('../../storage/kept-world.ts');

/** What is needed behind the lobby; the browser fetches it while the player still types. */
const loadRoom = (): Promise<typeof import('../room/entry.ts')> => import('../room/entry.ts');

/**
 * The first page: start a room, join one, or come in at once where the URL names one. It and the rooms behind it
 * share the URL: with a room in it one is in the room, or on the way.
 */
export function openLobby(canvas: HTMLCanvasElement, overlay: HTMLElement): void {
  new LobbyDoor(canvas, overlay).open();
}

class LobbyDoor {
  readonly #canvas: HTMLCanvasElement;
  readonly #overlay: HTMLElement;
  /** Null while the player is in a room. */
  #lobby: Lobby | null = null;
  /** What the device offers, once the way there is loaded. */
  readonly #modes: Promise<readonly HeadsetMode[]>;
  /** Null where there is no headset, and until the way there is loaded. */
  #headset: LobbyEntrance | null = null;
  readonly #config: Promise<PageConfig>;
  #profile = loadProfile();
  #stun: string | null | undefined;
  #code = '';
  #state: LobbyState = { kind: 'idle' };
  /** The world that can be continued, as far as it is known yet. */
  #kept: SavedWorld | null = null;
  #entering: AbortController | null = null;
  /** What failed last, once more. */
  #again: (() => void) | null = null;

  constructor(canvas: HTMLCanvasElement, overlay: HTMLElement) {
    this.#canvas = canvas;
    this.#overlay = overlay;
    this.#config = loadConfig(new URL('./', location.href)).then(({ config, complaints }) => {
      for (const complaint of complaints) console.warn(complaint);
      this.#stun = config.publicStun.length === 0 ? null : config.publicStun.join(', ');
      if (this.#lobby !== null) this.#show();
      return config;
    });
    // Whoever can't fetch the way into a headset still has the screen.
    this.#modes = this.#findHeadset().catch(() => []);
  }

  open(): void {
    showReady();
    const given = new URLSearchParams(location.search).get('room');
    const code = given === null ? null : readRoomCode(given);
    this.#code = given ?? '';
    if (code !== null) this.#enter(code);
    else if (given !== null) this.#fail('bad code');
    else this.#show();
    // Leaves a room, or comes into one, as the URL has it.
    window.addEventListener('popstate', () => location.reload());
    window.addEventListener('pagehide', () => this.#entering?.abort(RETURNING));
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload();
    });
    if (code === null) void loadRoom();
  }

  /** Loads what a headset needs before it is offered: it lets in only while the click is still fresh. */
  async #findHeadset(): Promise<readonly HeadsetMode[]> {
    const modes = await offeredModes();
    if (modes.length === 0) return modes;
    const { LobbyEntrance: Entrance } = await import('../headset/lobby-entrance.ts');
    this.#headset = new Entrance(this.#canvas, {
      onAction: (action) => this.#obey(action),
      onFailure: (failure) => this.#fail(failure),
    });
    if (this.#lobby !== null) this.#show();
    return modes;
  }

  /** What a player in a headset wants. */
  #obey(action: LobbyAction): void {
    const goes =
      action.kind === 'start' ||
      action.kind === 'continue' ||
      action.kind === 'join' ||
      action.kind === 'alone';
    // The other hand may press what is about to go.
    if (goes && this.#state.kind === 'busy') return;
    switch (action.kind) {
      case 'start':
        this.#start(this.#profile, action.scene);
        break;
      case 'continue':
        this.#continue(this.#profile);
        break;
      case 'join':
        this.#join(this.#profile, action.code);
        break;
      case 'cancel':
        this.#cancel();
        break;
      case 'alone':
        this.#tryAlone();
        break;
      case 'exit':
        this.#headset?.leave();
        break;
      case 'retry':
        if (this.#state.kind === 'failed' && FAILURES[this.#state.failure].remedy === 'reload')
          location.reload();
        else this.#retry();
        break;
    }
  }

  /** To the loopback page and back, with the headset on. */
  #tryAlone(): void {
    this.#again = () => this.#tryAlone();
    this.#say({ kind: 'busy', step: 'loading' });
    this.#attempt((signal) => this.#goAlone(signal));
  }

  async #goAlone(signal: AbortSignal): Promise<void> {
    const { openLoopback } = await import('../loopback/entry.ts');
    if (signal.aborted) return;
    this.#entering = null;
    this.#hide();
    history.pushState(null, '', '?view=loopback');
    await openLoopback(this.#canvas, this.#overlay, () => this.#say({ kind: 'idle' }));
  }

  #createLobby(): Lobby {
    const lobby = createLobby(document.body, {
      onProfile: (profile) => this.#keep(profile),
      onStart: (profile, scene) => this.#start(profile, scene),
      onContinue: (profile) => this.#continue(profile),
      onJoin: (profile, code) => this.#join(profile, code),
      onCancel: () => this.#cancel(),
      onRetry: () => this.#retry(),
    });
    createEnterButtons(
      lobby.choices,
      this.#modes,
      async (mode) => (await this.#headset?.enter(mode)) ?? false,
    );
    return lobby;
  }

  #keep(profile: { readonly name: string; readonly colour: Slot }): void {
    this.#profile = profile;
    saveProfile(profile);
  }

  #start(profile: { readonly name: string; readonly colour: Slot }, scene: SceneName): void {
    this.#host(profile, { name: scene, seed: random().below(2 ** 32) });
  }

  /** A room with the scene of the world that was kept begins from that. */
  #continue(profile: { readonly name: string; readonly colour: Slot }): void {
    if (this.#kept !== null) this.#host(profile, this.#kept.scene);
  }

  #host(profile: { readonly name: string; readonly colour: Slot }, scene: SceneChoice): void {
    this.#keep(profile);
    const code = newCode();
    const slot = profile.colour;
    const fresh = { isNew: true, secret: '', hasGuests: false };
    saveSeat({ role: 'host', code, slot, scene, capacity: CAPACITY, locked: false, ...fresh });
    this.#go(code);
  }

  #join(profile: { readonly name: string; readonly colour: Slot }, code: RoomCode): void {
    this.#keep(profile);
    this.#go(code);
  }

  /** Into a room, which then stands in the URL: a link for friends, and what a reload brings back. */
  #go(code: RoomCode): void {
    history.pushState(null, '', `?room=${code}`);
    this.#enter(code);
  }

  #enter(code: RoomCode): void {
    this.#code = code;
    this.#again = () => this.#enter(code);
    this.#say({ kind: 'busy', step: seatAt(code)?.role === 'host' ? 'opening' : 'looking' });
    this.#attempt((signal) => this.#comeIn(code, signal));
  }

  /** Goes somewhere, and nowhere else any more. */
  #attempt(go: (signal: AbortSignal) => Promise<void>): void {
    this.#entering?.abort();
    const entering = new AbortController();
    this.#entering = entering;
    void go(entering.signal).catch((error: unknown) => {
      if (entering.signal.aborted) return;
      // Whatever has not its own sentence: a part of the page that could not be fetched.
      this.#fail('offline');
      throw error;
    });
  }

  async #entryAt(code: RoomCode): Promise<Entry> {
    const seat = seatAt(code);
    if (seat === null || seat.role === 'guest') return { role: 'guest', seat, orElse: null };
    const { slot, secret, scene, capacity, locked, isNew, hasGuests } = seat;
    const kept = await this.#readKept();
    const saved = kept !== null && isSameScene(kept.scene, scene) ? kept : null;
    const opening = { scene, capacity, locked, anotherCode: isNew ? newCode : null, saved };
    // [F4] Whom a host has left alone have another by now.
    return hasGuests
      ? { role: 'guest', seat: { slot, secret }, orElse: opening }
      : { role: 'host', ...opening };
  }

  async #readKept(): Promise<SavedWorld | null> {
    const { loadKeptWorld } = await loadKept();
    return loadKeptWorld();
  }

  /** Looks whether there is a world to continue. */
  async #findKept(): Promise<void> {
    this.#kept = await this.#readKept().catch(() => null);
    if (this.#lobby !== null) this.#show();
  }

  async #comeIn(code: RoomCode, signal: AbortSignal): Promise<void> {
    const [room, config, entry] = await Promise.all([loadRoom(), this.#config, this.#entryAt(code)]);
    if (signal.aborted) return;
    await room.enterRoom({
      canvas: this.#canvas,
      overlay: this.#overlay,
      config,
      code,
      entry,
      name: this.#profile.name,
      colour: seatAt(code)?.slot ?? this.#profile.colour,
      signal,
      onChange: (session) => this.#entered(session),
      onEnd: (why) => this.#end(why, signal),
    });
  }

  /** In the room; or something has changed that a reload is to bring back. */
  #entered({ code, hosting, seat, world, slot, roster }: GameSession): void {
    this.#hide();
    history.replaceState(null, '', `?room=${code}`);
    if (world === null || slot === null || roster === null) return;
    if (seat === null) return;
    const { capacity, locked, players } = roster;
    const { secret } = seat;
    const hasGuests = players.length > 1;
    const rules = { scene: world.choice, capacity, locked, isNew: false, hasGuests };
    saveSeat({ code, slot, secret, ...(hosting === null ? { role: 'guest' } : { role: 'host', ...rules }) });
  }

  #end(why: Failure | null, signal: AbortSignal): void {
    if (signal.aborted) return;
    if (why === null) this.#leave();
    else this.#fail(why);
  }

  /** Out of a room: the way back is in the browser's history. */
  #leave(): void {
    this.#entering = null;
    this.#code = '';
    clearSeat();
    history.pushState(null, '', location.pathname);
    this.#say({ kind: 'idle' });
  }

  #fail(why: Failure): void {
    this.#entering = null;
    // Nothing to come back to: a reload leads to the lobby, not to the same failure.
    if (why === 'removed' || why === 'rules') {
      clearSeat();
      history.replaceState(null, '', location.pathname);
    }
    this.#say({ kind: 'failed', failure: why });
  }

  /** Back to the lobby as it was. */
  #cancel(): void {
    this.#entering?.abort();
    this.#entering = null;
    clearSeat();
    history.replaceState(null, '', location.pathname);
    this.#say({ kind: 'idle' });
  }

  #retry(): void {
    this.#again?.();
  }

  #say(state: LobbyState): void {
    this.#state = state;
    this.#show();
  }

  /** The player is somewhere else from now on. */
  #hide(): void {
    this.#lobby?.remove();
    this.#lobby = null;
    this.#headset?.hide();
  }

  #show(): void {
    if (this.#lobby === null) {
      this.#lobby = this.#createLobby();
      void this.#findKept();
    }
    const shown = {
      profile: this.#profile,
      code: this.#code,
      state: this.#state,
      kept: this.#kept === null ? null : { ...this.#kept, cubes: this.#kept.resting.length },
    };
    this.#lobby.show({ ...shown, stun: this.#stun });
    this.#headset?.show(shown);
  }
}

/** This tab's place in a room; null if it has none there. */
function seatAt(code: RoomCode): StoredSeat | null {
  const seat = loadSeat();
  return seat?.code === code ? seat : null;
}

function newCode(): RoomCode {
  return randomRoomCode(random());
}

/** Seeded by what nobody can guess. */
function random(): Random {
  return new Random(crypto.getRandomValues(new Uint32Array(1))[0]);
}
