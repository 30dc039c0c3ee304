import type { Slot } from '../core/base/ids.ts';
import type { PlayerInput } from '../core/hands/hand-input.ts';
import { SEND_LIMITS } from '../core/link/send-budget.ts';
import type { Recorder } from '../core/peer/recording/recorder.ts';
import type { RoomCode } from '../core/room/code.ts';
import type { RoomId } from '../core/room/identity/key.ts';
import type { Lineage } from '../core/room/identity/lineage.ts';
import type { JoinProgress, LineId } from '../core/room/line.ts';
import type { MemberEffect, MemberOptions } from '../core/room/member.ts';
import { Member } from '../core/room/member.ts';
import type { Roster } from '../core/room/messages.ts';
import type { Profile } from '../core/room/profile.ts';
import { newProfile } from '../core/room/profile.ts';
import { Offences } from '../core/room/offences.ts';
import type { SavedWorld } from '../core/wire/files/saved-world.ts';
import type { ChosenLevel, LevelReason, LevelRecipe } from '../core/world/level-reference.ts';
import { referTo } from '../core/world/level-reference.ts';
import type { OpenedLine, Station } from '../transport/station.ts';
import { DoorCall } from './door-call.ts';
import { HostDoor } from './host-door.ts';
import { LastReign } from './last-reign.ts';
import { People } from './people.ts';
import { ReturnOfDedicated } from './return-of-dedicated.ts';
import type { RoomOptions } from './room-options.ts';
import { Signer } from './signer.ts';
import type { Opening, SessionState } from './session-state.ts';
import {
  failureOf,
  formerHostsOf,
  formerTenureOf,
  hostPartsOf,
  isFormerHost,
  playOf,
  statusOf,
  steppedDown,
  withPlay,
} from './session-state.ts';
import type { Hosting, Session, SessionStatus } from './session.ts';
import type { WorldStart } from './world.ts';
import { GuardedLevels, levelOf, World } from './world.ts';

/**
 * One member's part in a room, as host or guest; its role may change while it plays [F4]. It owns its station, and
 * knows no clock: its owner calls `tick` as often as the level's rate says, and 60 times a second before there is a level.
 */
export class RoomSession<S extends Station = Station> implements Session {
  readonly station: S;
  readonly hasBegun: boolean;
  readonly #options: RoomOptions;
  readonly #doorCall: DoorCall;
  readonly #levels: GuardedLevels;
  #member: Member;
  #state: SessionState;
  /** The code while this page is not the host; a host's door has its own. */
  #code: RoomCode;
  #recorder: Recorder | null = null;
  readonly #signer: Signer;
  readonly #people = new People();
  readonly #return = new ReturnOfDedicated();
  readonly #reign = new LastReign();

  /** The engine must have been loaded: a guest begins to play as soon as it is welcomed. */
  constructor(station: S, options: RoomOptions) {
    this.#options = options;
    this.#code = options.code;
    this.#levels = new GuardedLevels(options.game);
    this.station = station;
    this.#signer = new Signer(options.key);
    this.#doorCall = new DoorCall(station, {
      onStanding: (why) => this.#member.attemptStands(why),
      onFailure: (why) => this.#member.attemptFailed(why),
    });
    const { entry } = options;
    const opening = entry.role === 'host' ? entry : entry.orElse;
    this.hasBegun = opening !== null && !opening.takenOver;
    if (entry.role === 'host') [this.#member, this.#state] = this.#openRoom(entry);
    else {
      const { returns, room, orElse } = entry;
      const guest = { colour: options.colour, returns, room };
      this.#member = new Member(this.#identity(), { role: 'guest', options: guest });
      this.#state = { kind: 'joining', orElse, play: null };
    }
  }

  #openRoom({
    scene,
    capacity,
    locked,
    lineage,
    anotherCode,
    saved,
    restored,
  }: Opening): [Member, SessionState] {
    const { colour: slot, code, game } = this.#options;
    const options = {
      slot,
      level: referTo(scene, levelOf(game, scene)),
      capacity,
      ...formerTenureOf({ lineage, restored }, this.#options.key.publicKey),
    };
    const member = new Member(this.#identity(), { role: 'host', options });
    const { host } = member;
    if (host === null) throw new Error('a member that starts as host has no host room');
    if (locked) host.lock(true);
    const play = { slot, world: this.#createWorld(scene, slot, slot, { saved, term: host.tenure.term }) };
    const door = new HostDoor(this.station, code, host.tenure, null, anotherCode);
    return [member, { kind: 'opening', play, parts: { door, offences: new Offences() } }];
  }

  #identity(): MemberOptions {
    const { name, key, game } = this.#options;
    return {
      profile: newProfile(name),
      id: this.station.id,
      key: key.publicKey,
      levels: this.#levels.source,
      schema: game.schema?.hash,
      secret: () => crypto.randomUUID(),
    };
  }

  #createWorld(scene: LevelRecipe, slot: Slot, host: Slot, start: WorldStart = {}): World {
    const { name, game, avatar = true, limits = SEND_LIMITS } = this.#options;
    const parts = { ...start, recorder: this.#recorder, avatar, limits };
    return new World(game, scene, { slot, host, name }, this.station.transport, parts);
  }

  get code(): RoomCode {
    return hostPartsOf(this.#state)?.door.code ?? this.#code;
  }

  get status(): SessionStatus {
    return statusOf(this.#state, this.#member.guest?.status.kind === 'here');
  }

  get progress(): JoinProgress | null {
    const attempt = this.#member.guest?.attempt ?? null;
    if (attempt === null) return null;
    const { kind, forMs } = attempt;
    return { step: kind === 'greeted' ? 'entering' : this.#doorCall.step, forMs };
  }

  get slot(): Slot | null {
    return playOf(this.#state)?.slot ?? null;
  }

  get world(): World | null {
    return playOf(this.#state)?.world ?? null;
  }

  get roster(): Roster | null {
    return this.#people.of(this.#member.roster);
  }

  get room(): RoomId | null {
    return this.#member.room;
  }

  get lineage(): Lineage | null {
    return this.#member.host?.tenure.lineage ?? null;
  }

  /** [F4] The secret of the room's door; null unless this member is host. */
  get doorSecret(): string | null {
    return this.#member.host?.tenure.door ?? null;
  }

  get formerHosts(): readonly Slot[] {
    return formerHostsOf(this.#member);
  }

  get hosting(): Hosting | null {
    return this.#member.host === null ? null : this.#hosting;
  }

  readonly #hosting: Hosting = {
    lock: (locked) => this.#member.host?.lock(locked),
    setCapacity: (capacity) => this.#member.host?.setCapacity(capacity),
    giveTo: (slot) => this.#member.giveTo(slot),
    invite: (key) => {
      const { host } = this.#member;
      if (host !== null) host.invited = key;
    },
    remove: (slot) => this.#member.host?.remove(slot),
    setScene: (scene, saved, why = saved ? 'file' : 'choice') => this.#setScene(scene, saved ?? null, why),
    setWatchers: (count) => this.#member.host?.setWatchers(count),
    reset: () => this.world?.peer.reset(),
  };

  #setScene(scene: LevelRecipe, saved: SavedWorld | null, why: LevelReason): void {
    const { host } = this.#member;
    const play = playOf(this.#state);
    if (host === null || play === null) return;
    const { slot } = play;
    const world = this.#createWorld(scene, slot, slot, { saved, term: host.tenure.term });
    play.world.dispose();
    this.#state = withPlay(this.#state, { slot, world });
    host.setLevel(world.choice, why);
  }

  tick(nowMs: number, input: PlayerInput): void {
    if (this.#state.kind === 'over' || this.#state.kind === 'left') return;
    this.#tendDoor(nowMs);
    this.#doorCall.tick(nowMs, this.code, this.#member.guest?.wantsLine ?? false);
    this.#signer.answer();
    this.station.lines.poll(this.#lineEvents);
    this.world?.receive(nowMs);
    this.#removeCheaters(nowMs);
    this.#return.tick(nowMs, this.#member, this.world);
    this.#member.tick(nowMs, {
      lastPacketMs: (slot) => this.world?.peer.lastReceivedMs(slot) ?? -Infinity,
      roundTripMs: (slot) => this.world?.peer.roundTripMs(slot) ?? 0,
    });
    this.#member.drain(this.#obey);
    this.#endWithGuest();
    if (this.#reign.isOver(isFormerHost(this.#state), nowMs)) this.station.unbindAll();
    this.world?.tick(nowMs, input);
  }

  /** [F1] */
  #removeCheaters(nowMs: number): void {
    const [{ host }, peer] = [this.#member, this.world?.peer];
    const parts = hostPartsOf(this.#state);
    if (host === null || peer === undefined || parts === null) return;
    for (const slot of parts.offences.judge(nowMs, (of) => peer.offences(of))) host.remove(slot, 'rules');
  }

  readonly #lineEvents = {
    opened: (line: LineId, { page, isCaller, binding }: OpenedLine): void => {
      const end = { page, isCaller, binding: `${this.code} ${binding}` };
      if (this.#doorCall.opened(line)) this.#member.attemptOpened(line, end);
      else this.#member.lineOpened(line, end);
    },
    message: (line: LineId, text: string): void => this.#member.receive(line, text),
    closed: (line: LineId, wasOpen: boolean): void => {
      this.#doorCall.closed(line);
      if (wasOpen) this.#member.lineClosed(line);
    },
  };

  #tendDoor(nowMs: number): void {
    const { host } = this.#member;
    const state = this.#state;
    if (host === null || (state.kind !== 'opening' && state.kind !== 'host')) return;
    const { door } = state.parts;
    const found = door.tick(nowMs, host.hasGuests);
    const isIn = state.kind === 'host' || door.wasOpen;
    if (isIn && state.kind === 'opening') this.#state = { ...state, kind: 'host' };
    if (this.station.doorState !== 'taken') this.#doorCall.hangUpProbe();
    if (found === 'look for another host') this.#doorCall.probe(this.code);
    else if (found !== null && !isIn)
      this.#state = { kind: 'over', why: found, cause: undefined, play: state.play };
  }

  /**
   * Ends this session when its guest part has ended. But if this page was the host before a reload, and nobody is at
   * the room's door, it opens the room anew.
   */
  #endWithGuest(): void {
    const { guest } = this.#member;
    if (guest?.status.kind !== 'ended') return;
    const { why } = guest.status;
    const state = this.#state;
    if (state.kind === 'joining' && state.orElse !== null && why === 'not found') {
      [this.#member, this.#state] = this.#openRoom(state.orElse);
    } else {
      const cause = why === 'other level' ? this.#levels.fault : undefined;
      this.#state = { kind: 'over', why: failureOf(why), cause, play: playOf(state) };
    }
  }

  readonly #obey = (effect: MemberEffect): void => {
    const { station } = this;
    const { lines } = station;
    switch (effect.kind) {
      case 'open':
        if (isFormerHost(this.#state)) station.unbindAll();
        this.#doorCall.want();
        break;
      case 'dial':
        station.dial(effect.page);
        break;
      case 'send':
        lines.get(effect.line)?.sendMessage(effect.text);
        break;
      case 'close':
        this.#doorCall.closed(effect.line);
        lines.close(effect.line);
        break;
      case 'enter':
        this.#enter(effect);
        station.bind(effect.welcome.roster.host, effect.line);
        break;
      case 'level':
        this.#beginScene(effect);
        break;
      case 'seat':
        station.bind(effect.slot, effect.line);
        this.world?.peer.connect(effect.slot, effect.connection);
        break;
      case 'move':
        station.bind(effect.slot, effect.line);
        break;
      case 'unseat':
        station.bind(effect.slot, null);
        this.world?.peer.disconnect(effect.slot);
        break;
      case 'sign':
      case 'verify':
        void this.#signer.ask(this.#member, effect);
        break;
      case 'door':
        hostPartsOf(this.#state)?.door.changeSecret(effect.door);
        break;
      case 'become host':
        this.#becomeHost(effect);
        break;
      case 'step down':
        this.#stepDown(effect.gives);
        break;
    }
  };

  /** The host has let this page in. */
  #enter({ welcome, goesOn, follows }: Extract<MemberEffect, { kind: 'enter' }>): void {
    const { slot, connection, level, roster } = welcome;
    this.station.unbindAll();
    const play = playOf(this.#state);
    if (!goesOn || play === null) {
      return this.#beginWorld(slot, roster.host, { level, connection, why: 'choice' });
    }
    if (follows) play.world.peer.follow(roster.host, connection);
    this.#state = { kind: 'guest', play: { slot, world: play.world } };
  }

  #beginScene(chosen: ChosenLevel): void {
    const play = this.#state.kind === 'over' ? null : playOf(this.#state);
    if (play !== null) this.#beginWorld(play.slot, play.world.peer.diagnostics.host, chosen);
  }

  /** A new world for a guest: it knows nothing of the present one, or its host was without it for too long. */
  #beginWorld(slot: Slot, host: Slot, { level, connection, why }: ChosenLevel): void {
    let world: World;
    try {
      world = this.#createWorld(level, slot, host, { why });
    } catch (cause) {
      this.#member.leave(false);
      this.#state = { kind: 'over', why: 'other level', cause, play: playOf(this.#state) };
      return;
    }
    this.world?.dispose();
    world.peer.connect(host, connection);
    this.#state = { kind: 'guest', play: { slot, world } };
  }

  /** [F4] */
  #becomeHost({ tenure, before, awaits }: Extract<MemberEffect, { kind: 'become host' }>): void {
    const play = playOf(this.#state);
    if (play === null) return;
    this.#doorCall.hangUp();
    this.station.unbindAll();
    play.world.peer.becomeHost(tenure.term, awaits);
    const door = new HostDoor(this.station, this.code, tenure, before);
    this.#state = { kind: 'host', play, parts: { door, offences: new Offences() } };
  }

  /** [F4] */
  #stepDown(gives: boolean): void {
    this.#doorCall.hangUp();
    this.#code = this.code;
    if (!gives) this.station.unbindAll();
    this.station.closeDoor();
    this.#state = steppedDown(this.#state);
  }

  setProfile(change: Partial<Profile>): void {
    this.#member.setProfile(change);
  }

  record(recorder: Recorder | null): void {
    this.#recorder = recorder;
    this.#member.guest?.rejoin(recorder !== null);
    if (recorder === null) return;
    const { world } = this;
    if (this.hosting === null || world === null) return;
    const { choice, peer } = world;
    this.#setScene(choice, peer.saveWorld(choice, 0), 'recording');
  }

  leave(returns: boolean): void {
    this.#member.leave(returns);
    this.#member.drain(this.#obey);
    this.station.close();
    this.world?.dispose();
    this.#state = { kind: 'left' };
  }
}
