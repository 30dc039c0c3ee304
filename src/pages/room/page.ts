import type { Slot } from '../../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import type { LevelId } from '../../levels/levels.ts';
import { isSameLevel } from '../../core/world/level-reference.ts';
import { listenToDesk } from '../../input/desk-listeners.ts';
import { DeskPlayer } from '../../input/desk-player.ts';
import { DeskRouter } from '../../input/desk-router.ts';
import { ScriptedHands } from '../../input/scripted-hand.ts';
import type { HeadsetMode } from '../../view/headset/display.ts';
import { offeredModes } from '../../view/headset/display.ts';
import type { PaneView as DrawnPane } from '../../view/renderer.ts';
import { WorldView } from '../../view/world-view.ts';
import { offerHandle } from '../handle.ts';
import { createEnterButtons } from '../headset/enter-buttons.ts';
import { Headset } from '../headset/headset.ts';
import type { HeadsetStart } from '../headset/reach-place.ts';
import { SlotHands } from '../headset/slot-hands.ts';
import { askAboutRoom } from '../server-rooms.ts';
import { Sounds } from '../sounds.ts';
import { fieldOfView, halfWidthOfWindow } from '../../view/lens.ts';
import { Ticker } from '../../room/ticker.ts';
import { Figures } from './network/figures.ts';
import { ActionWatcher } from './screen/action-watcher.ts';
import { DeskHand } from './screen/desk-hand.ts';
import { GivingLesson } from '../giving/giving-lesson.ts';
import { hasOnlyCubes } from './screen/hint-texts.ts';
import type { Hints } from './screen/hints.ts';
import { createHints } from './screen/hints.ts';
import type { Menu, MenuHandlers } from './menu/menu.ts';
import { createMenu } from './menu/menu.ts';
import type { MeetingParts } from './meeting.ts';
import { arrivalIn, Meeting } from './meeting.ts';
import { RoomBodies } from './bodies/room-bodies.ts';
import type { RoomModel } from './model.ts';
import type { RoomPageParts } from './page-parts.ts';
import { failureIn, readModel } from './read-model.ts';
import { nameAvatars } from './name-avatars.ts';
import { RoomRecording } from './keep/room-recording.ts';
import { WorldFiles } from './keep/world-files.ts';
import { newArrangement, SceneChanges } from './keep/scene-changes.ts';
import type { Failure } from './sentences.ts';
import { greet } from './news/greeting.ts';
import type { NewsSinks } from './news/room-news.ts';
import { RoomNews } from './news/room-news.ts';
import { GiveBack } from './news/give-back.ts';
import type { NewsOffer } from './news/news-list.ts';
import { NOT_KEPT } from './sentences.ts';
import { HostControls } from './session/host-controls.ts';
import type { GameSession } from './session/session.ts';
import type { TouchControls } from './screen/touch.ts';
import { createTouchControls } from './screen/touch.ts';
import { Voices } from './network/voices.ts';
import { WorldKeeper } from './keep/world-keeper.ts';
import type { World } from '../../session/world.ts';

/** Milliseconds between two updates of the menu. */
const MENU_INTERVAL_MS = 100;

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
  readonly #giveBack: GiveBack;
  readonly #enterButtons: HTMLElement;
  readonly #touch: TouchControls;
  readonly #hints: Hints;
  readonly #actions: ActionWatcher;
  readonly #deskHand: DeskHand;
  readonly #drawing: WorldView;
  readonly #headset: Headset;
  readonly #meeting: Meeting;
  readonly #news: RoomNews;
  readonly #giving: GivingLesson;
  readonly #scenes: SceneChanges;
  readonly #files: WorldFiles;
  readonly #bodies: RoomBodies;
  readonly #controls: HostControls;
  readonly #drawn: DrawnPane;
  readonly #ticker: Ticker<XRFrame>;
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
    this.#keeper = new WorldKeeper(() => this.#say(NOT_KEPT));
    this.#recording = new RoomRecording(session, (said) => this.#tell(said));
    const say = (sentence: string): void => this.#say(sentence);
    const offer = (news: NewsOffer): (() => void) => this.#offer(news);
    const lost: NewsSinks['lost'] = (peer, sentence) => this.#headset.showLost(peer, sentence);
    this.#news = new RoomNews(session, { say, lost }, parts.hasServerRooms ? askAboutRoom : null);
    this.#giveBack = new GiveBack(session, (slot) => this.#news.nameOf(slot), { say, offer });
    this.#scenes = new SceneChanges(session, { say, offer });
    this.#files = new WorldFiles(() => this.#world, this.#scenes, say);
    const drawing = (this.#drawing = new WorldView(world.level));
    const { canvas, display } = parts.stage;
    const [news, sounds] = [this.#news, this.#sounds];
    const here = { world: () => this.#world, drawing, display, news, sounds, say };
    this.#bodies = new RoomBodies(here, this.#listening.signal);
    const onRules = (): void => parts.onChange(session);
    this.#controls = new HostControls(session, parts.hasServerRooms, say, onRules);
    const wishes = this.#menuHandlers();
    const start = (): HeadsetStart => this.#meeting.headsetStart();
    this.#headset = new Headset(display, this.#drawing, start, wishes);
    this.#meeting = new Meeting(world.level, arrival, across, this.#meetingParts());
    this.#drawn = { view: this.#drawing, left: 0, top: 0, width: 1, height: 1 };
    this.#router = this.#createRouter();
    this.#menu = createMenu(parts.overlay, wishes);
    greet(this.#menu, parts.greeting, world.peer.diagnostics.slot);
    const voice = session.code === null ? null : this.#voices;
    const enter = (mode: HeadsetMode): Promise<boolean> => display.enter(mode);
    this.#enterButtons = createEnterButtons(parts.overlay, offeredModes(), enter, voice);
    if (parts.voice !== null) void this.#voices.turnOn(parts.voice);
    this.#touch = createTouchControls(parts.overlay, this.#player);
    this.#deskHand = new DeskHand({
      player: this.#player,
      drawing: this.#drawing,
      touch: this.#touch,
      container: parts.overlay,
      nameOf: (slot) => this.#news.nameOf(slot),
      hasOnlyCubes: () => hasOnlyCubes(this.#world.level),
    });
    this.#hints = createHints(parts.overlay, matchMedia('(pointer: coarse)').matches ? 'touch' : 'mouse');
    this.#hints.enter(world.level);
    this.#giving = new GivingLesson(this.#drawing, this.#headset, this.#hints, this.#news, this.#sounds);
    this.#actions = new ActionWatcher((action) => this.#hints.done(action));
    this.#listen(canvas);
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

  #meetingParts(): MeetingParts {
    return {
      overlay: this.#parts.overlay,
      player: this.#player,
      headset: this.#headset,
      drawing: this.#drawing,
      session: this.#session,
      onWave: (slot, hand) => {
        if (this.#news.waved(slot, this.#world.peer.diagnostics.slot)) this.#sounds.wave(hand);
      },
    };
  }

  #createRouter(): DeskRouter {
    return new DeskRouter([this.#player], {
      // Commands that matter to everybody are only in the menu: no key resets a friend's tower by accident.
      onCommand: () => undefined,
      onInspect: () => undefined,
      onActive: () => undefined,
      onHandKey: (deed) => this.#deskHand.did(deed),
      onDoubleTap: () => this.#bodies.kickAt(this.#player.pointer),
    });
  }

  #listen(canvas: HTMLCanvasElement): void {
    const { signal } = this.#listening;
    signal.addEventListener('abort', listenToDesk(canvas, this.#router));
    window.addEventListener('resize', () => this.#resize(), { signal });
    // A phone may end a hidden page without any event.
    document.addEventListener('visibilitychange', () => this.#keep(), { signal });
    // [F4] A browser may freeze a hidden page. A host leaves before, so that another becomes host, and returns as guest.
    document.addEventListener('freeze', () => this.#freeze(), { signal });
  }

  /** The handlers of both menus: the menu on the screen, and the menu in a headset. */
  #menuHandlers(): MenuHandlers {
    const session = this.#session;
    return {
      ...this.#bodies.handlers,
      ...this.#controls.handlers,
      onVoice: (wish) => this.#voices.obey(wish),
      onMute: (slot: Slot, muted: boolean) => this.#voices.setMutedHere(slot, muted),
      onScene: (name: LevelId) => this.#scenes.start(newArrangement(name)),
      onReset: () => this.#scenes.reset(),
      onSaveWorld: () => this.#files.save(),
      onOpenWorld: () => this.#files.open(),
      onRecord: (on: boolean) => (on ? this.#recording.start() : this.#recording.stop()),
      onName: (name) => {
        session.setProfile({ name });
        this.#parts.onName(name);
      },
      onColour: (colour) =>
        this.#parts.onColour(colour, session.hosting === null ? null : this.#files.saved()),
      onBack: () => this.#meeting.goBack(),
      onWave: () => this.#meeting.wave(),
      onLeave: () => this.#end(null),
    };
  }

  /** Shows a sentence for a moment, or news with a button. */
  #tell(said: string | NewsOffer): void {
    if (typeof said === 'string') this.#say(said);
    else this.#offer(said);
  }

  /** Shows news with a button on the screen. @returns takes them off the screen. */
  #offer(news: NewsOffer): () => void {
    if (news.inHeadset !== undefined) this.#headset.say(news.inHeadset);
    return this.#menu.offer(news);
  }

  /** Shows a sentence for a moment, on the screen and in the headset. */
  #say(sentence: string): void {
    this.#menu.say(sentence);
    this.#headset.say(sentence);
  }

  /** Keeps the cubes in the browser, if this page is the host. */
  #keep(): void {
    const { code, hosting, world } = this.#session;
    if (code === null || hosting === null || world === null) return;
    this.#keeper.keep(world, this.#session.hasBegun ? 'own' : 'taken over');
  }

  #offerHandle(): void {
    offerHandle({
      peers: () => [(this.#session.world ?? this.#world).peer],
      viewOf: (slot) => (slot === this.#world.peer.diagnostics.slot ? this.#world.view : undefined),
      hands: this.#scripted,
      reset: () => this.#session.hosting?.reset(),
      room: () => this.#model(),
    });
  }

  #tick(timeMs: number): void {
    const input = this.#input(timeMs);
    this.#session.tick(timeMs, input);
    if (this.#keeper.isDue(timeMs)) this.#keep();
    this.#recording.tick();
    this.#bodies.tick();
    this.#news.cubes(this.#world.peer, this.#world.level);
    this.#giving.tick(this.#world.peer);
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
      if (status.cause !== undefined) reportError(status.cause);
      this.#end(failureIn(this.#session.roster, status.why));
      return;
    }
    // Until the new world is known, the last picture stays: the player never sees the start positions.
    if (world !== null && world !== this.#world && world.isKnown) {
      const isNew = !isSameLevel(world.choice, this.#world.choice);
      this.#world = world;
      this.#drawing.setScene(world.level);
      this.#hints.enter(world.level);
      // In a new world of the same scene nobody moves: a recording begins one, for example.
      if (isNew) this.#meeting.sceneChanged(world.level);
      this.#parts.onChange(this.#session);
    }
    // After a reload, the stored seat decides whether this page comes back as host or as guest: so it is stored again.
    if (this.#news.players(this.#world.peer.diagnostics.slot)) this.#parts.onChange(this.#session);
    this.#giveBack.tick();
    this.#controls.tick();
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
    this.#giving.frame(view, seconds, nowMs);
    const { height: paneHeight } = this.#drawn;
    this.#drawing.update(view, seconds, {
      ghosts: null,
      highlight: NO_BODY,
      glow: this.#giving.glow,
      handsOf: this.#meeting.handsOf,
      paneHeight,
      ...this.#headset.options,
    });
    this.#meeting.frame(view, nowMs, seconds, this.#giving.glow);
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

  #model(): RoomModel {
    return readModel({
      session: this.#session,
      world: this.#world,
      voices: this.#voices,
      figures: this.#figures,
      recording: this.#recording,
      bodies: this.#bodies,
      controls: this.#controls,
      scenes: this.#scenes,
      friends: this.#parts.friends,
      canBeWatched: this.#parts.canBeWatched,
      tickRate: this.#ticker.rate,
    });
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
    this.#menu.remove();
    this.#enterButtons.remove();
    this.#headset.takeOff();
    const onScreen = [this.#meeting, this.#touch, this.#hints, this.#giving, this.#deskHand, this.#drawing];
    for (const part of [this.#controls, this.#voices, this.#sounds, ...onScreen]) part.dispose();
    this.#session.leave(returns);
    delete window.handover;
  }
}
