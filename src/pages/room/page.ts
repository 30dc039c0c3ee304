import type { Slot } from '../../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { ReadonlyVector } from '../../core/base/math.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import { readWorldFile, writeWorldFile } from '../../core/wire/files/saved-world.ts';
import type { SceneName } from '../../core/world/scene.ts';
import { listenToDesk } from '../../input/desk-listeners.ts';
import { DeskPlayer } from '../../input/desk-player.ts';
import { DeskRouter } from '../../input/desk-router.ts';
import { ScriptedHands } from '../../input/scripted-hand.ts';
import { offeredModes } from '../../view/headset/display.ts';
import type { PaneView as DrawnPane } from '../../view/renderer.ts';
import { WorldView } from '../../view/world-view.ts';
import { FILE_FAULTS, openFile, saveFile } from '../files.ts';
import { offerHandle } from '../handle.ts';
import { createEnterButtons } from '../headset/enter-buttons.ts';
import { Headset } from '../headset/headset.ts';
import { SlotHands } from '../headset/slot-hands.ts';
import { Sounds } from '../sounds.ts';
import type { PageCanvas } from '../page-canvas.ts';
import { fieldOfView, halfWidthOfWindow } from '../../view/lens.ts';
import { Ticker } from '../ticker.ts';
import { Figures } from './network/figures.ts';
import { ActionWatcher } from './screen/action-watcher.ts';
import { DeskHand } from './screen/desk-hand.ts';
import type { Hints } from './screen/hints.ts';
import { createHints } from './screen/hints.ts';
import type { Menu, MenuHandlers } from './menu/menu.ts';
import { createMenu } from './menu/menu.ts';
import { arrivalIn, Meeting } from './meeting.ts';
import type { RoomModel } from './model.ts';
import { nameAvatars } from './name-avatars.ts';
import { RoomRecording } from './keep/room-recording.ts';
import { SceneChanges } from './keep/scene-changes.ts';
import { roomQuery } from './room-link.ts';
import type { Failure } from './sentences.ts';
import { greet } from './news/greeting.ts';
import { RoomNews } from './news/room-news.ts';
import { NOT_KEPT, SCENE_TITLES } from './sentences.ts';
import type { GameSession } from './session/session.ts';
import type { TouchControls } from './screen/touch.ts';
import { createTouchControls } from './screen/touch.ts';
import { Voices } from './network/voices.ts';
import { secondsNow, WorldKeeper } from './keep/world-keeper.ts';
import type { World } from './session/world.ts';

/** Milliseconds between two updates of the menu. */
const MENU_INTERVAL_MS = 100;

/** The surroundings of a RoomPage. */
export type RoomPageParts = {
  readonly stage: PageCanvas;
  readonly overlay: HTMLElement;
  /** The address at which friends find this page. */
  readonly friendsUrl: URL;
  /** Called when a new world has begun, or the room's rules have changed. */
  readonly onChange: (session: GameSession) => void;
  /** Called when the player has another name; empty: it is called by its colour. */
  readonly onName: (name: string) => void;
  /** Called when the player wants to leave, and to come in again with another colour. `world`: a host's, to go on with. */
  readonly onColour: (colour: Slot, world: SavedWorld | null) => void;
  /** The sentence about its own name and colour that the player reads as it comes in; null for none. */
  readonly greeting: string | null;
  /** Called when the room is over for this player. `why` is null if the player wanted to leave. */
  readonly onEnd: (why: Failure | null) => void;
};

/** A room as one of its players sees it: the world in the whole window, and the menu over it. It owns the session. */
export class RoomPage {
  readonly #parts: RoomPageParts;
  readonly #session: GameSession;
  readonly #player: DeskPlayer;
  readonly #scripted = new ScriptedHands();
  readonly #hands = new SlotHands();
  readonly #router: DeskRouter;
  readonly #voices: Voices;
  readonly #sounds = new Sounds();
  readonly #figures: Figures;
  readonly #keeper: WorldKeeper;
  readonly #recording: RoomRecording;
  readonly #menu: Menu;
  readonly #enterButtons: HTMLElement;
  readonly #touch: TouchControls;
  readonly #hints: Hints;
  readonly #actions: ActionWatcher;
  readonly #deskHand: DeskHand;
  readonly #drawing: WorldView;
  readonly #headset: Headset;
  readonly #meeting: Meeting;
  readonly #news: RoomNews;
  readonly #scenes: SceneChanges;
  readonly #drawn: DrawnPane;
  readonly #ticker: Ticker;
  readonly #listening = new AbortController();
  #world: World;
  #frameAt = 0;
  #menuAt = 0;
  /** True from the beginning of a frame to its drawing. */
  #isFrame = false;

  /** @param session must be in the room. */
  constructor(session: GameSession, world: World, parts: RoomPageParts) {
    this.#session = session;
    this.#world = world;
    this.#parts = parts;
    const across = halfWidthOfWindow();
    const arrival = arrivalIn(world, session.roster, across);
    this.#player = new DeskPlayer(arrival.start);
    this.#voices = new Voices(session);
    this.#figures = new Figures(session);
    this.#keeper = new WorldKeeper(() => this.#menu.say(NOT_KEPT));
    this.#recording = new RoomRecording(session, (sentence) => this.#menu.say(sentence));
    this.#news = new RoomNews(session, {
      say: (sentence) => this.#menu.say(sentence),
      lost: (peer, sentence) => this.#headset.showLost(peer, sentence),
    });
    this.#scenes = new SceneChanges(session, {
      say: (sentence) => this.#menu.say(sentence),
      offer: (offer) => this.#menu.offer(offer),
    });
    this.#drawing = new WorldView(world.scene);
    const wishes = this.#menuHandlers();
    this.#headset = new Headset(parts.stage.display, this.#drawing, arrival.start, wishes);
    this.#meeting = new Meeting(world.scene, arrival, across, {
      overlay: parts.overlay,
      player: this.#player,
      headset: this.#headset,
      onWave: (slot, hand) => this.#announceWave(slot, hand),
    });
    this.#drawn = { view: this.#drawing, left: 0, top: 0, width: 1, height: 1 };
    this.#router = new DeskRouter([this.#player], {
      // Commands that matter to everybody are only in the menu: no key resets a friend's tower by accident.
      onCommand: () => undefined,
      onInspect: () => undefined,
      onActive: () => undefined,
      onHandKey: (deed) => this.#deskHand.did(deed),
    });
    this.#menu = createMenu(parts.overlay, wishes);
    greet(this.#menu, parts.greeting, world.peer.diagnostics.slot);
    const { canvas, display } = parts.stage;
    this.#enterButtons = createEnterButtons(parts.overlay, offeredModes(), (mode) => display.enter(mode));
    this.#touch = createTouchControls(parts.overlay, this.#player);
    this.#deskHand = new DeskHand({
      player: this.#player,
      drawing: this.#drawing,
      touch: this.#touch,
      container: parts.overlay,
      nameOf: (slot) => this.#news.nameOf(slot),
    });
    this.#hints = createHints(parts.overlay, matchMedia('(pointer: coarse)').matches ? 'touch' : 'mouse');
    this.#actions = new ActionWatcher((action) => this.#hints.done(action));
    const stopListening = listenToDesk(canvas, this.#router);
    const { signal } = this.#listening;
    signal.addEventListener('abort', stopListening);
    window.addEventListener('resize', () => this.#resize(), { signal });
    // A phone may end a hidden page without any event.
    document.addEventListener('visibilitychange', () => this.#keep(), { signal });
    // [F4] A browser may freeze a hidden page: a host leaves first, so that another becomes host, and comes back as a guest.
    document.addEventListener('freeze', () => this.#freeze(), { signal });
    this.#offerHandle();
    this.#resize();
    this.#ticker = new Ticker(parts.stage, {
      begin: (nowMs, xr) => {
        this.#isFrame = true;
        if (!this.#headset.begin(nowMs, xr, this.#world.peer)) this.#poseCamera(nowMs);
      },
      tick: (timeMs) => this.#tick(timeMs),
      frame: (nowMs, alpha) => this.#frame(nowMs, alpha),
    });
  }

  /** The handlers of both menus: the menu on the screen, and the menu in a headset. */
  #menuHandlers(): MenuHandlers {
    const session = this.#session;
    return {
      onVoice: (wish) => {
        if (wish === 'on') void this.#voices.turnOn();
        else if (wish === 'off') this.#voices.turnOff();
        else this.#voices.setMuted(wish === 'mute');
      },
      onMute: (slot: Slot, muted: boolean) => this.#voices.setMutedHere(slot, muted),
      onRemove: (slot: Slot) => session.hosting?.remove(slot),
      onLock: (locked: boolean) => this.#rule(() => session.hosting?.lock(locked)),
      onCapacity: (capacity: number) => this.#rule(() => session.hosting?.setCapacity(capacity)),
      onScene: (name: SceneName) => this.#scenes.start({ name, seed: randomSeed() }),
      onReset: () => this.#scenes.reset(),
      onSaveWorld: () => this.#saveWorld(),
      onOpenWorld: () => openFile('world', (bytes) => this.#openWorld(bytes)),
      onRecord: (on: boolean) => (on ? this.#recording.start() : this.#recording.stop()),
      onName: (name) => {
        session.setProfile({ name });
        this.#parts.onName(name);
      },
      onColour: (colour) =>
        this.#parts.onColour(colour, session.hosting === null ? null : this.#savedWorld()),
      onBack: () => this.#meeting.goBack(),
      onWave: () => this.#meeting.wave(),
      onLeave: () => this.#end(null),
    };
  }

  #saveWorld(): void {
    const saved = this.#savedWorld();
    saveFile('world', `Handover ${SCENE_TITLES[saved.scene.name]}`, writeWorldFile(saved));
  }

  /** The cubes as they are now. */
  #savedWorld(): SavedWorld {
    const { peer, choice } = this.#world;
    return peer.saveWorld(choice, secondsNow());
  }

  #openWorld(bytes: Uint8Array): void {
    const saved = readWorldFile(bytes);
    if (typeof saved === 'string') this.#menu.say(FILE_FAULTS.world[saved]);
    else this.#scenes.open(saved);
  }

  /** Keeps the cubes in the browser, if this page is the host. */
  #keep(): void {
    const { hosting, world } = this.#session;
    if (hosting !== null && world !== null) this.#keeper.keep(world);
  }

  #rule(change: () => void): void {
    change();
    this.#parts.onChange(this.#session);
  }

  #offerHandle(): void {
    offerHandle({
      peers: () => [(this.#session.world ?? this.#world).peer],
      viewOf: (slot) => (slot === this.#world.peer.diagnostics.slot ? this.#world.view : undefined),
      hands: this.#scripted,
      reset: () => this.#session.hosting?.restart(),
      room: () => this.#model(),
    });
  }

  #tick(timeMs: number): void {
    const input = this.#input(timeMs);
    this.#session.tick(timeMs, input);
    if (this.#keeper.isDue(timeMs)) this.#keep();
    this.#recording.tick();
    this.#news.cubes(this.#world.peer);
    this.#scenes.tick(this.#world);
    // After a change of scene the old picture stays until the new world is known, but the hands no longer feel it.
    if (this.#world === this.#session.world) this.#headset.tick(this.#world.peer);
    // Actions in a headset don't show that the player knows the mouse.
    if (this.#headset.player === null)
      this.#actions.tick(input, this.#world.peer.diagnostics.hands[RIGHT].held);
    this.#voices.tick(timeMs);
    this.#figures.update(timeMs);
    const { status, world } = this.#session;
    if (status.kind === 'ended') {
      this.#end(status.why);
      return;
    }
    // Until the new world is known, the last picture stays: the player never sees the start positions.
    if (world !== null && world !== this.#world && world.isKnown) {
      this.#world = world;
      this.#drawing.setScene(world.scene);
      this.#meeting.sceneChanged(world.scene);
      this.#parts.onChange(this.#session);
    }
    // A reload comes back as host or guest, by the present host and by whether others are here: so it is stored anew.
    if (this.#news.players(this.#world.peer.diagnostics.slot)) this.#parts.onChange(this.#session);
  }

  #input(timeMs: number): PlayerInput {
    const player = this.#headset.player ?? this.#player;
    // In a tick without a frame, a finger that came down since the last frame grips where the finger is.
    if (player === this.#player && !this.#isFrame) this.#player.beginFrame(timeMs);
    const own = this.#meeting.into(this.#hands.sample(player, timeMs), timeMs);
    const input = this.#scripted.over(this.#world.peer.diagnostics.slot, own);
    input.voice = this.#voices.ownLevel;
    return input;
  }

  #frame(nowMs: number, alpha: number): void {
    this.#isFrame = false;
    const seconds = Math.min(0.1, (nowMs - this.#frameAt) / 1000);
    this.#frameAt = nowMs;
    const { peer, view } = this.#world;
    const player = this.#headset.player ?? this.#player;
    const input = this.#scripted.over(peer.diagnostics.slot, this.#meeting.into(player.drawn(), nowMs));
    input.voice = this.#voices.ownLevel;
    // The old picture of a world that is over stands still.
    peer.view(this.#world === this.#session.world ? alpha : 1, input, view);
    nameAvatars(view, this.#session.roster);
    this.#voices.frame(view, input.head);
    this.#sounds.frame(peer, input.head);
    this.#headset.place();
    if (player === this.#player) this.#deskHand.frame(view, seconds);
    const { height: paneHeight } = this.#drawn;
    this.#drawing.update(view, seconds, {
      ghosts: null,
      highlight: NO_BODY,
      paneHeight,
      ...this.#headset.options,
    });
    this.#meeting.frame(view, this.#headset.player === null ? this.#drawing : null, nowMs);
    this.#headset.update(view, seconds, () => this.#model());
    this.#parts.stage.renderer.render([this.#drawn]);
    if (nowMs - this.#menuAt < MENU_INTERVAL_MS) return;
    this.#menuAt = nowMs;
    this.#menu.show(this.#model());
  }

  #poseCamera(nowMs: number): void {
    const { camera } = this.#drawing;
    this.#player.setLens((camera.fov * Math.PI) / 180, this.#drawn.width / this.#drawn.height);
    this.#player.beginFrame(nowMs);
    const { position, rotation } = this.#player.camera;
    camera.position.set(position.x, position.y, position.z);
    camera.quaternion.set(rotation.x, rotation.y, rotation.z, rotation.w);
  }

  #announceWave(slot: Slot, hand: ReadonlyVector): void {
    this.#sounds.wave(hand);
    if (slot !== this.#world.view.self) this.#news.waved(slot);
  }

  #model(): RoomModel {
    const { code, roster, status, progress, station } = this.#session;
    const { slot, host } = this.#world.peer.diagnostics;
    return {
      code,
      link: new URL(roomQuery(code, this.#session.room), this.#parts.friendsUrl).href,
      host,
      you: slot,
      capacity: roster?.capacity ?? 1,
      locked: roster?.locked ?? false,
      players: (roster?.players ?? []).map((player) => ({
        ...player,
        level: this.#voices.level(player.slot),
        mutedHere: this.#voices.isMutedHere(player.slot),
      })),
      scene: this.#world.choice.name,
      voice: this.#voices.own,
      connection: status.kind === 'lost' ? 'lost' : 'good',
      progress,
      reachable: station.state === 'open',
      figures: this.#figures.read(this.#ticker.rate),
      refusals: station.refusals.read(),
      recording: this.#recording.state,
    };
  }

  #resize(): void {
    const { stage } = this.#parts;
    this.#router.resize(stage.canvas.clientWidth, stage.canvas.clientHeight);
    stage.resize();
    const { x, y, width, height } = this.#router.panes[0];
    Object.assign(this.#drawn, { left: x, top: y, width, height });
    this.#drawing.camera.fov = fieldOfView(width / Math.max(1, height));
    this.#meeting.resize(halfWidthOfWindow());
  }

  #freeze(): void {
    if (this.#session.hosting === null) return;
    document.addEventListener('resume', () => location.reload());
    this.leave(true);
  }

  #end(why: Failure | null): void {
    if (this.#listening.signal.aborted) return;
    this.leave(false);
    this.#parts.onEnd(why);
  }

  /** Leaves the room, and disposes of everything. @param returns the page may be back in a moment, as in a reload. */
  leave(returns: boolean): void {
    if (this.#listening.signal.aborted) return;
    this.#ticker.stop();
    this.#listening.abort();
    this.#keep();
    this.#recording.stop();
    this.#voices.dispose();
    this.#sounds.dispose();
    this.#menu.remove();
    this.#enterButtons.remove();
    this.#headset.takeOff();
    this.#meeting.dispose();
    this.#touch.dispose();
    this.#hints.dispose();
    this.#deskHand.dispose();
    this.#drawing.dispose();
    this.#session.leave(returns);
    delete window.handover;
  }
}

/** A new arrangement each time. Anyone may guess it. */
function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 32);
}
