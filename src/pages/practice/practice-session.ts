import { HelperBot } from '../../bots/helper-bot.ts';
import type { ConnectionId, Slot } from '../../core/base/ids.ts';
import type { PlayerInput } from '../../core/hands/hand-input.ts';
import { playerInput } from '../../core/hands/hand-input.ts';
import type { Recorder } from '../../core/peer/recording/recorder.ts';
import type { PublicKey } from '../../core/room/identity/key.ts';
import type { Roster, RosterPlayer } from '../../core/room/messages.ts';
import type { SavedWorld } from '../../core/wire/files/saved-world.ts';
import type { LevelRecipe } from '../../core/world/level-reference.ts';
import { createLoopback } from '../../transport/loopback.ts';
import type { Hosting, SessionStatus } from '../../session/session.ts';
import { World } from '../../session/world.ts';
import { GAME } from '../room/session/game.ts';
import type { GameSession, SessionNetwork } from '../room/session/session.ts';
import { buildingPlace, startPlaceOf } from '../start-places.ts';

/** The scene in which practice begins: a few low stacks, so that cubes to take are at hand. */
const FIRST_SCENE: LevelRecipe = { id: 'grid', seed: 1, count: 16 };
/** The slots that a loopback needs: it has those of all colours. */
const SLOTS = 8;
/** How the helper is called. */
const HELPER = 'Robo';

/** The player, and the helper in the same page: each has a whole world, and packets go from one to the other. */
type Worlds = { readonly own: World; readonly helpers: World; readonly bot: HelperBot };

/**
 * A room without a network: this page's player is its host, and a bot in the same page is its guest. The page of a room
 * shows it as any other room.
 */
export class PracticeSession implements GameSession {
  readonly code = null;
  readonly room = null;
  readonly lineage = null;
  readonly progress = null;
  readonly formerHosts = [];
  readonly hasBegun = true;
  readonly station: SessionNetwork = NO_NETWORK;
  readonly roster: Roster;
  readonly slot: Slot;
  readonly #name: string;
  /** The loopback connects every slot to slot 0 only. So the helper has slot 0, unless the player has it. */
  readonly #helper: Slot;
  readonly #input = playerInput();
  #worlds: Worlds;
  #connections = 0;
  #recorder: Recorder | null = null;
  #hasLeft = false;

  /** The engine must have been loaded. */
  constructor(name: string, slot: Slot) {
    this.#name = name;
    this.slot = slot;
    this.#helper = (slot === 0 ? 1 : 0) as Slot;
    this.roster = {
      host: slot,
      capacity: 2,
      locked: true,
      players: [playerAt(slot, name), playerAt(this.#helper, HELPER)].sort((a, b) => a.slot - b.slot),
      term: 0,
      epoch: 0,
      signature: null,
    };
    this.#worlds = this.#begin(FIRST_SCENE, null);
  }

  #begin(choice: LevelRecipe, saved: SavedWorld | null): Worlds {
    const { transports } = createLoopback({ seed: choice.seed, slots: SLOTS });
    const [slot, helper] = [this.slot, this.#helper];
    const place = (of: Slot, name: string) => ({ slot: of, host: slot, name });
    const own = new World(GAME, choice, place(slot, this.#name), transports[slot], {
      saved,
      recorder: this.#recorder,
    });
    const helpers = new World(GAME, choice, place(helper, HELPER), transports[helper]);
    const connection = ++this.#connections as ConnectionId;
    own.peer.connect(helper, connection);
    helpers.peer.connect(slot, connection);
    const home = startPlaceOf(0, own.level).position;
    return { own, helpers, bot: new HelperBot(helper, { home, tower: buildingPlace(own.level) }) };
  }

  get status(): SessionStatus {
    return { kind: this.#hasLeft ? 'left' : 'here' };
  }

  get world(): World {
    return this.#worlds.own;
  }

  readonly hosting: Hosting = {
    lock: () => undefined,
    setCapacity: () => undefined,
    giveTo: () => undefined,
    invite: () => undefined,
    remove: () => undefined,
    setScene: (scene, saved) => this.#setScene(scene, saved ?? null),
    setWatchers: () => undefined,
    reset: () => this.#worlds.own.peer.reset(),
  };

  #setScene(scene: LevelRecipe, saved: SavedWorld | null): void {
    const next = this.#begin(scene, saved);
    this.#dispose();
    this.#worlds = next;
  }

  tick(nowMs: number, input: PlayerInput): void {
    if (this.#hasLeft) return;
    const { own, helpers, bot } = this.#worlds;
    own.receive(nowMs);
    own.tick(nowMs, input);
    helpers.receive(nowMs);
    if (helpers.peer.hasWorld) {
      helpers.peer.view(1, null, helpers.view);
      const friend = helpers.view.avatars[this.slot];
      bot.act(helpers.peer.diagnostics.bodies, friend.present ? friend : null, this.#input);
    }
    helpers.tick(nowMs, this.#input);
  }

  setProfile(): void {
    // Nobody is there to see it.
  }

  record(recorder: Recorder | null): void {
    this.#recorder = recorder;
    if (recorder === null) return;
    const { choice, peer } = this.#worlds.own;
    this.#setScene(choice, peer.saveWorld(choice, 0));
  }

  leave(): void {
    this.#hasLeft = true;
    this.#dispose();
  }

  #dispose(): void {
    this.#worlds.own.dispose();
    this.#worlds.helpers.dispose();
  }
}

/** A player of a roster that travels nowhere, so it needs no key and no id. */
function playerAt(slot: Slot, name: string): RosterPlayer {
  return {
    slot,
    name,
    id: '',
    presence: 'here',
    voice: 'off',
    hands: 'pointer',
    roundTripMs: 0,
    key: '' as PublicKey,
  };
}

const NO_NETWORK: SessionNetwork = {
  state: 'closed',
  refusals: { read: () => ({}) },
  calls: { update: () => undefined, poll: () => undefined, connections: () => [] },
  serverCalls: null,
  transport: { lineTo: () => null },
};
