import type { Slot } from '../../core/base/ids.ts';
import { NO_BODY, RIGHT } from '../../core/base/ids.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import type { Roster, RosterPlayer } from '../../core/room/messages.ts';
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
import { WhoseHands } from '../headset/whose-hands.ts';
import { Sounds } from '../sounds.ts';
import type { Stage } from '../stage.ts';
import { startOf } from '../starts.ts';
import { Ticker } from '../ticker.ts';
import { Figures } from './figures.ts';
import { DeedWatch } from './deeds.ts';
import type { Hints } from './hints.ts';
import { createHints } from './hints.ts';
import type { Menu, MenuHandlers } from './menu/menu.ts';
import { createMenu } from './menu/menu.ts';
import type { RoomModel } from './model.ts';
import { calledBy } from './model.ts';
import { RoomRecording } from './room-recording.ts';
import type { Failure } from './sentences.ts';
import { NOT_KEPT, SCENE_TITLES } from './sentences.ts';
import type { GameSession } from './session.ts';
import type { TouchControls } from './touch.ts';
import { createTouchControls } from './touch.ts';
import { Voices } from './voices.ts';
import { secondsNow, WorldKeeper } from './world-keeper.ts';
import type { World } from './world.ts';

/** Milliseconds between two updates of the menu. */
const MENU_INTERVAL_MS = 100;

export type RoomPageParts = {
  readonly stage: Stage;
  readonly overlay: HTMLElement;
  /** Where friends find this page. */
  readonly friendsUrl: URL;
  /** Called when a new world has begun, or the room's rules have changed. */
  readonly onChange: (session: GameSession) => void;
  /** Called when the room is over for this player: why, or null if it wanted to leave. */
  readonly onEnd: (why: Failure | null) => void;
};

/** Milliseconds in which nobody is told that a newcomer falls silent: its first pictures take long on a slow machine. */
const SETTLES_MS = 10_000;

/** A room as one of its players sees it: the world in the whole window, and the menu over it. */
export class RoomPage {
  readonly #parts: RoomPageParts;
  readonly #session: GameSession;
  readonly #player: DeskPlayer;
  readonly #scripted = new ScriptedHands();
  readonly #hands = new WhoseHands();
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
  readonly #deeds: DeedWatch;
  readonly #drawing: WorldView;
  readonly #headset: Headset;
  readonly #drawn: DrawnPane;
  readonly #ticker: Ticker;
  readonly #listening = new AbortController();
  #world: World;
  #players: readonly RosterPlayer[] = [];
  /** When each player was last seen to come in, on the clock of frames. */
  readonly #cameAt = new Map<Slot, number>();
  #host: Slot | null = null;
  #frameAt = 0;
  #menuAt = 0;
  /** From the beginning of a frame to its drawing. */
  #isFrame = false;

  /** The session is in the room. */
  constructor(session: GameSession, world: World, slot: Slot, parts: RoomPageParts) {
    this.#session = session;
    this.#world = world;
    this.#parts = parts;
    this.#player = new DeskPlayer(startOf(slot));
    this.#voices = new Voices(session);
    this.#figures = new Figures(session);
    this.#keeper = new WorldKeeper(() => this.#menu.say(NOT_KEPT));
    this.#recording = new RoomRecording(session, (sentence) => this.#menu.say(sentence));
    this.#drawing = new WorldView(world.scene);
    const wishes = this.#menuHandlers();
    this.#headset = new Headset(parts.stage.display, this.#drawing, startOf(slot), wishes);
    this.#drawn = { view: this.#drawing, left: 0, top: 0, width: 1, height: 1 };
    this.#router = new DeskRouter([this.#player], {
      // Keys that matter to all are in the menu alone: nobody is to reset a friend's tower by accident.
      onCommand: () => undefined,
      onInspect: () => undefined,
      onActive: () => undefined,
    });
    this.#menu = createMenu(parts.overlay, wishes);
    const { canvas, display } = parts.stage;
    this.#enterButtons = createEnterButtons(parts.overlay, offeredModes(), (mode) => display.enter(mode));
    this.#touch = createTouchControls(parts.overlay, this.#player);
    this.#hints = createHints(parts.overlay, matchMedia('(pointer: coarse)').matches ? 'touch' : 'mouse');
    this.#deeds = new DeedWatch((deed) => this.#hints.done(deed));
    const stopListening = listenToDesk(canvas, this.#router);
    const { signal } = this.#listening;
    signal.addEventListener('abort', stopListening);
    window.addEventListener('resize', () => this.#resize(), { signal });
    // A phone may end a hidden page without a word.
    document.addEventListener('visibilitychange', () => this.#keep(), { signal });
    // [F4] A browser may freeze a page that nobody looks at: a host hands over first, and comes back as a guest.
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

  /** What the menus do: the one on the screen, and the one in a headset. */
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
      onScene: (name: SceneName) => session.hosting?.setScene({ name, seed: randomSeed() }),
      onReset: () => session.hosting?.restart(),
      onSaveWorld: () => this.#saveWorld(),
      onOpenWorld: () => openFile('world', (bytes) => this.#openWorld(bytes)),
      onRecord: (on: boolean) => (on ? this.#recording.start() : this.#recording.stop()),
      onLeave: () => this.#end(null),
    };
  }

  #saveWorld(): void {
    const { peer, choice } = this.#world;
    const file = writeWorldFile(peer.saveWorld(choice, secondsNow()));
    saveFile('world', `Handover ${SCENE_TITLES[choice.name]}`, file);
  }

  #openWorld(bytes: Uint8Array): void {
    const saved = readWorldFile(bytes);
    if (typeof saved === 'string') this.#menu.say(FILE_FAULTS.world[saved]);
    else this.#session.hosting?.setScene(saved.scene, saved);
  }

  /** Keeps the cubes in the browser, if they are this page's to keep. */
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
    this.#sayLost();
    this.#sayGiven();
    // Of a scene that is over, the picture alone is left until the next one is known.
    if (this.#world === this.#session.world) this.#headset.feel(this.#world.peer);
    // What is done in a headset teaches nobody the mouse.
    if (this.#headset.player === null)
      this.#deeds.tick(input, this.#world.peer.diagnostics.hands[RIGHT].held);
    this.#voices.tick(timeMs);
    this.#figures.update(timeMs);
    const { status, world } = this.#session;
    if (status.kind === 'ended') {
      this.#end(status.why);
      return;
    }
    // Until the new one is known, the last that was seen stays in sight: never the start positions.
    if (world !== null && world !== this.#world && world.isKnown) {
      this.#world = world;
      this.#drawing.setScene(world.scene);
      this.#parts.onChange(this.#session);
    }
    this.#sayWhatHappened();
  }

  #input(timeMs: number): PlayerInput {
    const player = this.#headset.player ?? this.#player;
    // A tick without a frame: a finger that came down since the last one grips where it is, not where the hand was.
    if (player === this.#player && !this.#isFrame) this.#player.beginFrame(timeMs);
    const input = this.#scripted.over(this.#world.peer.diagnostics.slot, this.#hands.sample(player, timeMs));
    input.voice = this.#voices.ownLevel;
    return input;
  }

  #frame(nowMs: number, alpha: number): void {
    this.#isFrame = false;
    const seconds = Math.min(0.1, (nowMs - this.#frameAt) / 1000);
    this.#frameAt = nowMs;
    const { peer, view } = this.#world;
    const player = this.#headset.player ?? this.#player;
    const input = this.#scripted.over(peer.diagnostics.slot, player.drawn());
    input.voice = this.#voices.ownLevel;
    // What stands in for a world that is not known yet stands still.
    peer.view(this.#world === this.#session.world ? alpha : 1, input, view);
    this.#voices.frame(view, input.head);
    this.#sounds.frame(peer, input.head);
    this.#headset.place();
    this.#drawing.update(view, seconds, { ghosts: null, highlight: NO_BODY, ...this.#headset.options });
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

  /** [G4] */
  #sayLost(): void {
    const { peer } = this.#world;
    const { lost, tick } = peer.diagnostics;
    if (lost.tick !== tick) return;
    const sentence = `${this.#nameOf(lost.to)} has this cube now.`;
    this.#menu.say(sentence);
    this.#headset.sayLost(peer, sentence);
  }

  /** [A9] */
  #sayGiven(): void {
    const { given, tick } = this.#world.peer.diagnostics;
    if (given.tick === tick) this.#menu.say(`${this.#nameOf(given.to)} has it now.`);
  }

  /** Who has come and gone. */
  #sayWhatHappened(): void {
    const { roster } = this.#session;
    const players = roster?.players ?? [];
    if (roster === null || players === this.#players) return;
    const before = this.#host;
    this.#host = roster.host;
    const hasChanged = before !== null && before !== roster.host;
    if (hasChanged) this.#menu.say(this.#sayHost(before, roster));
    for (const player of players) if (!hasChanged || player.slot !== before) this.#sayOf(player);
    const isSame = players.map(({ slot }) => slot).join() === this.#players.map(({ slot }) => slot).join();
    this.#players = players;
    // What a reload is to bring back depends on who is host, and whether somebody else is there.
    if (hasChanged || !isSame) this.#parts.onChange(this.#session);
  }

  /** [F4] */
  #sayHost(before: Slot, { host, players }: Roster): string {
    const nameOf = (slot: Slot): string =>
      calledBy(players.find((player) => player.slot === slot) ?? { slot, name: '' });
    if (before === this.#session.slot) return `You were away; ${nameOf(host)} is the host now.`;
    const heir = host === this.#session.slot ? 'you are' : `${nameOf(host)} is`;
    return `${nameOf(before)} has left; ${heir} the host now.`;
  }

  #sayOf(player: RosterPlayer): void {
    if (player.slot === this.#world.peer.diagnostics.slot || this.#players.length === 0) return;
    const before = this.#players.find(({ slot }) => slot === player.slot)?.presence ?? 'away';
    const name = calledBy(player);
    if (before === 'away' && player.presence !== 'away') {
      this.#cameAt.set(player.slot, this.#frameAt);
      this.#menu.say(`${name} is here.`);
    }
    if (before !== 'away' && player.presence === 'away') this.#menu.say(`${name} has left.`);
    const isNew = this.#frameAt - (this.#cameAt.get(player.slot) ?? -Infinity) < SETTLES_MS;
    if (isNew) return;
    if (before === 'here' && player.presence === 'lost') this.#menu.say(`${name} has lost the connection.`);
    if (before === 'lost' && player.presence === 'here') this.#menu.say(`${name} is back.`);
  }

  #nameOf(slot: Slot): string {
    const player = this.#session.roster?.players.find((other) => other.slot === slot);
    return calledBy(player ?? { slot, name: '' });
  }

  #model(): RoomModel {
    const { code, roster, status, station } = this.#session;
    const { slot, host } = this.#world.peer.diagnostics;
    return {
      code,
      link: new URL(`?room=${code}`, this.#parts.friendsUrl).href,
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
      reachable: station.state === 'open',
      figures: this.#figures.read(this.#ticker.rate),
      recording: this.#recording.state,
    };
  }

  #resize(): void {
    const { stage } = this.#parts;
    this.#router.resize(stage.canvas.clientWidth, stage.canvas.clientHeight);
    stage.resize();
    const { x, y, width, height } = this.#router.panes[0];
    Object.assign(this.#drawn, { left: x, top: y, width, height });
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

  /** Says goodbye to the room, and stops. `returns`: the page may be back in a moment, as in a reload. */
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
    this.#touch.dispose();
    this.#hints.dispose();
    this.#drawing.dispose();
    this.#session.leave(returns);
    delete window.handover;
  }
}

/** Another arrangement each time; nothing depends on its being unguessable. */
function randomSeed(): number {
  return Math.floor(Math.random() * 2 ** 32);
}
