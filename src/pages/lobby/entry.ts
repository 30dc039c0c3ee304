import type { Slot } from '../../core/base/ids.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { readRoomCode } from '../../core/room/code.ts';
import type { RoomId } from '../../core/room/identity/key.ts';
import type { JoinProgress } from '../../core/room/line.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../../core/world/level-reference.ts';
import type { LevelId } from '../../levels/levels.ts';
import { loadLeftRoom, saveLeftRoom } from '../../storage/left-room.ts';
import type { Profile } from '../../storage/profile.ts';
import { hasProfile, loadProfile, saveProfile } from '../../storage/profile.ts';
import { clearSeat, saveSeat } from '../../storage/seat.ts';
import type { HeadsetMode } from '../../view/headset/display.ts';
import { offeredModes } from '../../view/headset/display.ts';
import type { PageConfig } from '../../room/config.ts';
import { loadConfig } from '../../room/config.ts';
import { createEnterButtons } from '../headset/enter-buttons.ts';
import type { LobbyEntrance } from '../headset/lobby-entrance.ts';
import type { LobbyAction } from '../headset/panel/lobby-boxes.ts';
import { showReady } from '../panel/screens.ts';
import { roomQuery } from '../../room/link.ts';
import type { BusyStep, Failure } from '../room/sentences.ts';
import { FAILURES, missingPart } from '../room/sentences.ts';
import { RETURNING } from '../room/session/session.ts';
import type { JoinWish } from './start/join-form.ts';
import { remember, seatInColour, withName } from './in-room.ts';
import type { RoomPlace, ServerRoomHandlers } from './start/server-room.ts';
import { openServerRoom, serverOffer } from './start/server-room.ts';
import type { Lobby, LobbyModel, LobbyState } from './lobby-view.ts';
import { createLobby } from './lobby-view.ts';
import { LobbyVoice } from './lobby-voice.ts';
import { newCode, random } from '../../room/seats.ts';
import { entryOf, seatAt } from './seats.ts';
import { StoredWorlds } from './stored-worlds.ts';
import { SidePages } from './side-pages.ts';

/** Most players in a new room. */
const CAPACITY = 4;

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
  readonly #sidePages: SidePages;
  readonly #voice = new LobbyVoice();
  #profile = loadProfile();
  /** The site's offers; nothing until it has said so. */
  #site: Pick<LobbyModel, 'asked' | 'server'> = { asked: null, server: null };
  #code = '';
  #state: LobbyState = { kind: 'idle' };
  /** A sentence about a door of the lobby that did not open; '' for none. */
  #notice = '';
  /** The player comes from another page: the lobby takes the focus when it is shown. */
  #comesBack = false;
  readonly #worlds = new StoredWorlds();
  #attempt: AbortController | null = null;
  /** Repeats the action that failed last. */
  #retryAction: (() => void) | null = null;

  constructor(canvas: HTMLCanvasElement, overlay: HTMLElement) {
    this.#canvas = canvas;
    this.#overlay = overlay;
    this.#config = loadConfig(new URL('./', location.href)).then(({ config, complaints }) => {
      for (const complaint of complaints) console.warn(complaint);
      this.#site = { asked: config.asked, server: serverOffer(config) };
      if (this.#lobby !== null) this.#show();
      return config;
    });
    this.#sidePages = new SidePages(canvas, overlay, {
      onLoading: (load, again) => this.#wait('loading', load, again),
      onShown: () => {
        this.#attempt = null;
        this.#hide();
      },
      onEnd: (why) => this.#endSidePage(why),
      onRefused: (sentence) => {
        this.#notice = sentence;
        this.#cancel();
      },
    });
    // If the headset modules can't be fetched, the lobby on the screen still works.
    this.#modes = this.#findHeadset().catch(() => []);
  }

  open(): void {
    showReady();
    const parameters = new URLSearchParams(location.search);
    const given = parameters.get('room');
    const code = given === null ? null : readRoomCode(given);
    this.#code = given ?? '';
    if (code !== null) this.#enter(code);
    else if (given !== null) this.#fail('bad code');
    else if (!this.#sidePages.open(parameters, this.#profile)) this.#show();
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
    // The other hand may still press a button that is about to disappear.
    if (this.#state.kind === 'busy' && action.kind !== 'cancel' && action.kind !== 'exit') return;
    switch (action.kind) {
      case 'start':
        this.#start(this.#profile, action.scene);
        break;
      case 'continue':
        this.#continue(this.#profile);
        break;
      case 'back':
        this.#goBack(this.#profile);
        break;
      case 'join':
        this.#join(this.#profile, { code: action.code, room: null, withVoice: this.#voice.isOn });
        break;
      case 'cancel':
        this.#cancel();
        break;
      case 'practise':
        this.#sidePages.practise(this.#profile);
        break;
      case 'loopback':
        this.#sidePages.loopback();
        break;
      case 'exit':
        this.#headset?.leave();
        break;
      case 'retry':
        if (this.#state.kind === 'failed' && FAILURES[this.#state.failure].remedy === 'reload')
          location.reload();
        else this.#retryAction?.();
        break;
    }
  }

  #wait(step: BusyStep, load: (signal: AbortSignal) => Promise<void>, again: () => void): void {
    this.#retryAction = again;
    this.#notice = '';
    this.#setState({ kind: 'busy', step, progress: null });
    this.#startAttempt(load);
  }

  #endSidePage(why: Failure | null): void {
    history.pushState(null, '', location.pathname);
    if (why === null) this.#setState({ kind: 'idle' });
    else this.#fail(why);
  }

  #createLobby(): Lobby {
    const lobby = createLobby(document.body, {
      onProfile: (profile) => this.#saveProfile(profile),
      onStart: (profile, scene, place) => this.#start(profile, scene, place),
      onContinue: (profile) => this.#continue(profile),
      onJoin: (profile, wish) => this.#join(profile, wish),
      onBack: (profile) => this.#goBack(profile),
      onPractise: (profile) => {
        this.#saveProfile(profile);
        this.#sidePages.practise(profile);
      },
      onWatch: () => this.#sidePages.watch(),
      onCancel: () => this.#cancel(),
      onRetry: () => this.#retryAction?.(),
    });
    createEnterButtons(
      lobby.you,
      this.#modes,
      async (mode) => (await this.#headset?.enter(mode)) ?? false,
      this.#voice,
    );
    return lobby;
  }

  #saveProfile(profile: Profile): void {
    this.#profile = profile;
    saveProfile(profile);
  }

  #start(profile: Profile, scene: LevelId, place: RoomPlace = { kind: 'browser' }): void {
    const level = { id: scene, seed: random().below(2 ** 32) };
    if (place.kind === 'browser') return this.#host(profile, level);
    // [N1] The server opens the room, and this page comes in as anybody.
    this.#saveProfile(profile);
    const onRoom: ServerRoomHandlers['onRoom'] = ({ code, room }) => this.#goToRoom(code, room, 'ordering');
    const handlers = { onRoom, onFailure: (why: Failure) => this.#fail(why) };
    const again = (): void => this.#start(profile, scene, place);
    this.#wait('ordering', (signal) => openServerRoom({ ...place, level }, signal, handlers), again);
  }

  /** A room with the scene of the last world starts with that world. */
  #continue(profile: Profile): void {
    if (this.#worlds.last !== null) this.#host(profile, this.#worlds.last.level);
  }

  #host(profile: Profile, scene: LevelRecipe): void {
    this.#saveProfile(profile);
    const code = newCode();
    const slot = profile.colour;
    const fresh = { isNew: true, lineage: null, hasGuests: false, takenOver: false };
    saveSeat({ role: 'host', code, slot, scene, capacity: CAPACITY, locked: false, ...fresh });
    this.#goToRoom(code);
  }

  #join(profile: Profile, { code, room, withVoice }: JoinWish): void {
    this.#saveProfile(profile);
    this.#voice.choose(withVoice);
    this.#goToRoom(code, room);
  }

  /** Goes back to the room that was left last. */
  #goBack(profile: Profile): void {
    const left = loadLeftRoom();
    if (left === null) return;
    this.#saveProfile(profile);
    this.#goToRoom(left.code, left.room);
  }

  /**
   * Enters a room. Its code goes into the URL: it is a link for friends, and a reload enters the room again.
   */
  #goToRoom(code: RoomCode, room: RoomId | null = null, step?: BusyStep): void {
    history.pushState(null, '', roomQuery(code, room));
    this.#enter(code, step);
  }

  #enter(code: RoomCode, step: BusyStep = seatAt(code)?.role === 'host' ? 'opening' : 'looking'): void {
    // The code of a room that the player has ordered is not a friend's code.
    if (step !== 'ordering') this.#code = code;
    this.#retryAction = () => this.#enter(code, seatAt(code) === null ? step : undefined);
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
      this.#fail(missingPart());
      throw error;
    });
  }

  /** Reads the last world, so that the lobby can offer to continue it. */
  async #findLastWorld(): Promise<void> {
    await this.#worlds.find();
    if (this.#lobby !== null) this.#show();
  }

  async #enterRoom(code: RoomCode, signal: AbortSignal): Promise<void> {
    const [room, config, entry] = await Promise.all([
      loadRoom(),
      this.#config,
      entryOf(code, (scene) => this.#worlds.take(scene)),
    ]);
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
      onChange: (session) => {
        this.#hide();
        remember(session);
      },
      onName: (name) => this.#saveProfile(withName(this.#profile, name)),
      onColour: (colour, world) => this.#changeColour(colour, world),
      onEnd: (why) => this.#onRoomEnd(why, signal),
      voice: this.#voice,
    });
  }

  #onProgress(progress: JoinProgress, signal: AbortSignal): void {
    if (!signal.aborted && this.#state.kind === 'busy') this.#setState({ ...this.#state, progress });
  }

  /** The player leaves its room, and comes in again with another colour; a host takes the world along. */
  #changeColour(colour: Slot, world: SavedWorld | null): void {
    this.#saveProfile({ ...this.#profile, colour });
    this.#worlds.carry(world);
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
      saveLeftRoom(null);
      history.replaceState(null, '', location.pathname);
    } else if (why === 'room not found') saveLeftRoom(null);
    // The code of the player's own room is not a friend's code.
    if (this.#state.kind === 'busy' && this.#state.step === 'opening') this.#code = '';
    this.#setState({ kind: 'failed', failure: why });
  }

  /** Back to the lobby as it was. */
  #cancel(): void {
    this.#attempt?.abort();
    this.#attempt = null;
    this.#voice.giveBack();
    clearSeat();
    history.replaceState(null, '', location.pathname);
    this.#setState({ kind: 'idle' });
  }

  #setState(state: LobbyState): void {
    this.#state = state;
    this.#show();
  }

  /** Removes the lobby: the player is in a room or on the loopback page. */
  #hide(): void {
    this.#comesBack = true;
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
      lastWorld: this.#worlds.last,
      leftRoom: loadLeftRoom(),
    };
    this.#lobby.show({ ...shown, ...this.#site, notice: this.#notice });
    if (this.#comesBack && this.#state.kind === 'idle') this.#lobby.focus();
    this.#comesBack = false;
    this.#headset?.show(shown);
  }
}
