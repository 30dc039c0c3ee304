import type { Slot } from '../../core/base/ids.ts';
import { Random } from '../../core/base/random.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { randomRoomCode, readRoomCode } from '../../core/room/code.ts';
import type { JoinProgress } from '../../core/room/line.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { SceneChoice, SceneName } from '../../core/world/scene.ts';
import type { RoomId } from '../../core/room/identity/key.ts';
import { roomIdOf } from '../../core/room/identity/lineage.ts';
import { isSameScene } from '../../core/world/scene.ts';
import { hasProfile, loadProfile, saveProfile } from '../../storage/profile.ts';
import { clearSeat, saveSeat } from '../../storage/seat.ts';
import type { AskedServices, PageConfig } from '../config.ts';
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
import { roomOfLink, roomQuery } from '../room/room-link.ts';
import type { GameSession } from '../room/session/session.ts';
import { RETURNING } from '../room/session/session.ts';
import { seatAt, seatInColour, withName } from './in-room.ts';
import type { Lobby, LobbyState } from './lobby-view.ts';
import { createLobby } from './lobby-view.ts';

/** Most players in a new room. */
const CAPACITY = 4;

/** The module that reads the last world; a lobby without a last world does not need it. */
const loadLastWorldReader = (): Promise<typeof import('../../storage/last-world.ts')> =>
  import('../../storage/last-world.ts');

/** The JavaScript of the rooms; the browser fetches it while the player still types. */
const loadRoom = (): Promise<typeof import('../room/entry.ts')> => import('../room/entry.ts');

/**
 * Opens the first page: start a room, or join one. If the URL contains a room's code, the player enters that
 * room at once. The lobby and the rooms share the URL: it contains a code while the player is in a room or
 * enters one.
 */
export function openLobby(canvas: HTMLCanvasElement, overlay: HTMLElement): void {
  new LobbyEntry(canvas, overlay).open();
}

class LobbyEntry {
  readonly #canvas: HTMLCanvasElement;
  readonly #overlay: HTMLElement;
  /** Null while the player is in a room. */
  #lobby: Lobby | null = null;
  /** The modes of this device's headset, once the headset modules are loaded. */
  readonly #modes: Promise<readonly HeadsetMode[]>;
  /** Null without a headset, and until the headset modules are loaded. */
  #headset: LobbyEntrance | null = null;
  readonly #config: Promise<PageConfig>;
  #profile = loadProfile();
  #asked: AskedServices | null = null;
  #code = '';
  #state: LobbyState = { kind: 'idle' };
  /** The world that can be continued; null if there is none or it is not read yet. */
  #lastWorld: SavedWorld | null = null;
  /** The world of a host that comes back in another colour. */
  #carried: SavedWorld | null = null;
  #attempt: AbortController | null = null;
  /** Repeats the action that failed last. */
  #retryAction: (() => void) | null = null;

  constructor(canvas: HTMLCanvasElement, overlay: HTMLElement) {
    this.#canvas = canvas;
    this.#overlay = overlay;
    this.#config = loadConfig(new URL('./', location.href)).then(({ config, complaints }) => {
      for (const complaint of complaints) console.warn(complaint);
      this.#asked = config.asked;
      if (this.#lobby !== null) this.#show();
      return config;
    });
    // If the headset modules can't be fetched, the lobby on the screen still works.
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
    // Back and forward in the history: the page loads again and follows the URL.
    window.addEventListener('popstate', () => location.reload());
    window.addEventListener('pagehide', () => this.#attempt?.abort(RETURNING));
    window.addEventListener('pageshow', ({ persisted }) => {
      if (persisted) location.reload();
    });
    if (code === null) void loadRoom();
  }

  /**
   * Loads the headset modules before a headset is offered: browsers open a headset only shortly after a click.
   */
  async #findHeadset(): Promise<readonly HeadsetMode[]> {
    const modes = await offeredModes();
    if (modes.length === 0) return modes;
    const { LobbyEntrance: Entrance } = await import('../headset/lobby-entrance.ts');
    this.#headset = new Entrance(this.#canvas, {
      onAction: (action) => this.#perform(action),
      onFailure: (failure) => this.#fail(failure),
    });
    if (this.#lobby !== null) this.#show();
    return modes;
  }

  /** Does what a player in a headset has chosen. */
  #perform(action: LobbyAction): void {
    const goes =
      action.kind === 'start' ||
      action.kind === 'continue' ||
      action.kind === 'join' ||
      action.kind === 'alone';
    // The other hand may still press a button that is about to disappear.
    if (goes && this.#state.kind === 'busy') return;
    switch (action.kind) {
      case 'start':
        this.#start(this.#profile, action.scene);
        break;
      case 'continue':
        this.#continue(this.#profile);
        break;
      case 'join':
        this.#join(this.#profile, action.code, null);
        break;
      case 'cancel':
        this.#cancel();
        break;
      case 'alone':
        this.#openLoopbackPage();
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

  /** Goes to the loopback page, and later back, with the headset on. */
  #openLoopbackPage(): void {
    this.#retryAction = () => this.#openLoopbackPage();
    this.#setState({ kind: 'busy', step: 'loading', progress: null });
    this.#startAttempt((signal) => this.#loadLoopbackPage(signal));
  }

  async #loadLoopbackPage(signal: AbortSignal): Promise<void> {
    const { openLoopback } = await import('../loopback/entry.ts');
    if (signal.aborted) return;
    this.#attempt = null;
    this.#hide();
    history.pushState(null, '', '?view=loopback');
    await openLoopback(this.#canvas, this.#overlay, () => this.#setState({ kind: 'idle' }));
  }

  #createLobby(): Lobby {
    const lobby = createLobby(document.body, {
      onProfile: (profile) => this.#saveProfile(profile),
      onStart: (profile, scene) => this.#start(profile, scene),
      onContinue: (profile) => this.#continue(profile),
      onJoin: (profile, code, room) => this.#join(profile, code, room),
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

  #saveProfile(profile: { readonly name: string; readonly colour: Slot }): void {
    this.#profile = profile;
    saveProfile(profile);
  }

  #start(profile: { readonly name: string; readonly colour: Slot }, scene: SceneName): void {
    this.#host(profile, { name: scene, seed: random().below(2 ** 32) });
  }

  /** A room with the scene of the last world starts with that world. */
  #continue(profile: { readonly name: string; readonly colour: Slot }): void {
    if (this.#lastWorld !== null) this.#host(profile, this.#lastWorld.scene);
  }

  #host(profile: { readonly name: string; readonly colour: Slot }, scene: SceneChoice): void {
    this.#saveProfile(profile);
    const code = newCode();
    const slot = profile.colour;
    const fresh = { isNew: true, lineage: null, hasGuests: false };
    saveSeat({ role: 'host', code, slot, scene, capacity: CAPACITY, locked: false, ...fresh });
    this.#goToRoom(code);
  }

  #join(
    profile: { readonly name: string; readonly colour: Slot },
    code: RoomCode,
    room: RoomId | null,
  ): void {
    this.#saveProfile(profile);
    this.#goToRoom(code, room);
  }

  /**
   * Enters a room. Its code goes into the URL: it is a link for friends, and a reload enters the room again.
   */
  #goToRoom(code: RoomCode, room: RoomId | null = null): void {
    history.pushState(null, '', roomQuery(code, room));
    this.#enter(code);
  }

  #enter(code: RoomCode): void {
    this.#code = code;
    this.#retryAction = () => this.#enter(code);
    const step = seatAt(code)?.role === 'host' ? 'opening' : 'looking';
    this.#setState({ kind: 'busy', step, progress: null });
    this.#startAttempt((signal) => this.#enterRoom(code, signal));
  }

  /** Starts to enter a room or page; an earlier attempt is aborted. */
  #startAttempt(go: (signal: AbortSignal) => Promise<void>): void {
    this.#attempt?.abort();
    const attempt = new AbortController();
    this.#attempt = attempt;
    void go(attempt.signal).catch((error: unknown) => {
      if (attempt.signal.aborted) return;
      // No other sentence fits: a part of the page could not be fetched.
      this.#fail('offline');
      throw error;
    });
  }

  async #entryAt(code: RoomCode): Promise<Entry> {
    const seat = seatAt(code);
    if (seat === null) return { role: 'guest', returns: false, room: roomOfLink(), orElse: null };
    if (seat.role === 'guest')
      return { role: 'guest', returns: true, room: roomOfLink() ?? seat.room, orElse: null };
    const { scene, capacity, locked, lineage, isNew, hasGuests } = seat;
    const lastWorld = this.#carried ?? (await this.#readLastWorld());
    this.#carried = null;
    const saved = lastWorld !== null && isSameScene(lastWorld.scene, scene) ? lastWorld : null;
    const opening = { scene, capacity, locked, lineage, anotherCode: isNew ? newCode : null, saved };
    const room = lineage === null ? null : roomIdOf(lineage);
    // [F4] If the host left guests behind, they may have another host by now.
    return hasGuests ? { role: 'guest', returns: true, room, orElse: opening } : { role: 'host', ...opening };
  }

  async #readLastWorld(): Promise<SavedWorld | null> {
    const { loadLastWorld: loadKeptWorld } = await loadLastWorldReader();
    return loadKeptWorld();
  }

  /** Reads the last world, so that the lobby can offer to continue it. */
  async #findLastWorld(): Promise<void> {
    this.#lastWorld = await this.#readLastWorld().catch(() => null);
    if (this.#lobby !== null) this.#show();
  }

  async #enterRoom(code: RoomCode, signal: AbortSignal): Promise<void> {
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
      hasChosen: hasProfile(),
      signal,
      onProgress: (progress) => this.#onProgress(progress, signal),
      onChange: (session) => this.#onRoomChange(session),
      onName: (name) => this.#saveProfile(withName(this.#profile, name)),
      onColour: (colour, world) => this.#changeColour(colour, world),
      onEnd: (why) => this.#onRoomEnd(why, signal),
    });
  }

  #onProgress(progress: JoinProgress, signal: AbortSignal): void {
    if (!signal.aborted && this.#state.kind === 'busy') this.#setState({ ...this.#state, progress });
  }

  /** Called after entering a room, and after each change that a reload has to restore. */
  #onRoomChange({ code, room, lineage, world, slot, roster }: GameSession): void {
    this.#hide();
    history.replaceState(null, '', roomQuery(code, room));
    if (world === null || slot === null || roster === null || room === null) return;
    const { capacity, locked, players } = roster;
    const hasGuests = players.length > 1;
    if (lineage === null) saveSeat({ role: 'guest', code, slot, room });
    else {
      const rules = { scene: world.choice, capacity, locked, isNew: false, hasGuests };
      saveSeat({ role: 'host', code, slot, lineage, ...rules });
    }
  }

  /** The player leaves its room, and comes in again with another colour; a host takes the world along. */
  #changeColour(colour: Slot, world: SavedWorld | null): void {
    this.#saveProfile({ ...this.#profile, colour });
    this.#carried = world;
    this.#attempt?.abort();
    const code = seatInColour(colour);
    if (code !== null) this.#enter(code);
  }

  #onRoomEnd(why: Failure | null, signal: AbortSignal): void {
    if (signal.aborted) return;
    if (why === null) this.#leave();
    else this.#fail(why);
  }

  /** Leaves a room. The browser's history leads back to it. */
  #leave(): void {
    this.#attempt = null;
    this.#code = '';
    clearSeat();
    history.pushState(null, '', location.pathname);
    this.#setState({ kind: 'idle' });
  }

  #fail(why: Failure): void {
    this.#attempt = null;
    // There is no room to return to: a reload must open the lobby, not repeat the failure.
    if (why === 'removed' || why === 'rules' || why === 'other room') {
      clearSeat();
      history.replaceState(null, '', location.pathname);
    }
    this.#setState({ kind: 'failed', failure: why });
  }

  /** Back to the lobby as it was. */
  #cancel(): void {
    this.#attempt?.abort();
    this.#attempt = null;
    clearSeat();
    history.replaceState(null, '', location.pathname);
    this.#setState({ kind: 'idle' });
  }

  #retry(): void {
    this.#retryAction?.();
  }

  #setState(state: LobbyState): void {
    this.#state = state;
    this.#show();
  }

  /** Removes the lobby: the player is in a room or on the loopback page. */
  #hide(): void {
    this.#lobby?.remove();
    this.#lobby = null;
    this.#headset?.hide();
  }

  #show(): void {
    if (this.#lobby === null) {
      this.#lobby = this.#createLobby();
      void this.#findLastWorld();
    }
    const shown = {
      profile: this.#profile,
      code: this.#code,
      state: this.#state,
      lastWorld:
        this.#lastWorld === null ? null : { ...this.#lastWorld, cubes: this.#lastWorld.resting.length },
    };
    this.#lobby.show({ ...shown, asked: this.#asked });
    this.#headset?.show(shown);
  }
}

function newCode(): RoomCode {
  return randomRoomCode(random());
}

/** A generator with a seed that nobody can guess. */
function random(): Random {
  return new Random(crypto.getRandomValues(new Uint32Array(1))[0]);
}
