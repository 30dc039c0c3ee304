import type { ServerResponse } from 'node:http';
import type { Request } from 'express';
import type { ProcessId } from '../../cluster/keys.ts';
import { NETWORKS_SECRET } from '../../cluster/keys.ts';
import { digestOf, Leases } from '../../cluster/leases.ts';
import type { Description, Member } from '../../cluster/members.ts';
import { Members } from '../../cluster/members.ts';
import { Redis } from '../../cluster/redis.ts';
import type { Relayed } from '../../cluster/relay.ts';
import { Relay } from '../../cluster/relay.ts';
import type { RoomCode } from '../../core/room/code.ts';
import { DOOR_PREFIX, readRoomCode } from '../../core/room/code.ts';
import { doorId } from '../../transport/station.ts';
import type { Broker, OtherBrokers } from '../broker/broker.ts';
import type { Upgrade } from '../broker/entrance.ts';
import { SetupError } from '../settings/reading.ts';
import type { ClusterFigures } from './cluster-figures.ts';
import { Passing, refuseForNow } from './passing.ts';
import { leastLoaded } from './placing.ts';
import { Unclaimed } from './unclaimed.ts';

/** The parts of this process that a cluster needs. They may be there later than the cluster. */
export type ClusterParts = {
  readonly broker: () => Broker | null;
  /** True for the id of a door that a room of this process keeps. */
  keeps(id: string): boolean;
  /** [N9.5] Another process has the room with this code. */
  taken(code: RoomCode): void;
  /** The description of this process for the others. */
  describe(): Description;
};

/**
 * [N9] One site in several processes, which find each other by Redis. Whatever belongs to an id at the broker is at one
 * process: its client, and for a door its room. The others pass on what is asked of them.
 */
export class Cluster implements OtherBrokers {
  readonly members: Members;
  readonly #redis: Redis;
  readonly #parts: ClusterParts;
  readonly #leases: Leases;
  readonly #relay: Relay;
  readonly #passing = new Passing();
  readonly #unclaimed: Unclaimed;
  #isDraining = false;

  private constructor(redis: Redis, parts: ClusterParts) {
    this.#redis = redis;
    this.#parts = parts;
    const describe = (): Description => {
      const description = parts.describe();
      return this.#isDraining ? { ...description, most: 0 } : description;
    };
    this.members = new Members(redis, describe, ({ url }) => this.#passing.end(url));
    this.#leases = new Leases(redis, this.members, {
      uses: (id) => parts.broker()?.has(id) === true || parts.keeps(id),
      lost: (id) => {
        parts.broker()?.drop(id);
        const code = id.startsWith(DOOR_PREFIX) ? readRoomCode(id.slice(DOOR_PREFIX.length)) : null;
        if (code !== null) parts.taken(code);
      },
    });
    this.#relay = new Relay(redis, this.members, this.#leases);
    this.#unclaimed = new Unclaimed(
      ({ message }) => parts.broker()?.take(message) !== 'nobody',
      ({ from, message }) => {
        // Nobody waits for an answer to an EXPIRE.
        if (message.type !== 'EXPIRE')
          this.#relay.send(from, { type: 'EXPIRE', src: message.dst, dst: message.src });
      },
    );
  }

  /** @throws SetupError if Redis does not answer. */
  static async connect(url: string, parts: ClusterParts): Promise<Cluster> {
    const redis = await Redis.connect(url).catch((error: unknown) => {
      const why = error instanceof Error ? error.message : 'it does not answer';
      throw new SetupError(`Redis does not let this process in at REDIS_URL: ${why}.`);
    });
    return new Cluster(redis, parts);
  }

  /** This process is a member from now on. */
  async start(): Promise<void> {
    await this.#relay.start((relayed) => this.#unclaimed.take(relayed));
    await this.members.start();
  }

  /** [N4.1] @returns the secret by which all processes name networks in kept rooms. @throws Error without Redis. */
  networksSecret(fresh: string): Promise<string> {
    return this.#redis.getOrSet(NETWORKS_SECRET, fresh);
  }

  get figures(): ClusterFigures {
    const { passed } = this.#passing;
    const redis = this.#redis.readyForMs === null ? 0 : 1;
    return { processes: this.members.all.length, passed, relayed: this.#relay.passed, redis };
  }

  /** [N9.4] Rooms here have these doors. */
  adopt(codes: Iterable<RoomCode>): void {
    this.#leases.adopt(Array.from(codes, doorId));
  }

  async isHere(upgrade: Upgrade, id: string): Promise<boolean> {
    const owner = await this.#leases.claim(id);
    return this.#place(upgrade, owner);
  }

  opened(id: string, token: string): void {
    this.#leases.opened(id, token);
  }

  isElsewhere(id: string): boolean {
    return this.#relay.isElsewhere(id);
  }

  pass(to: string, message: Relayed['message'], orElse: () => void): void {
    this.#relay.pass(to, message, orElse);
  }

  /** [N2.6] True if a client with this id and this token is, or was a minute ago, at the broker of any process. */
  async isHeldBy(id: string, token: string): Promise<boolean> {
    const broker = this.#parts.broker();
    // Its own broker knows best.
    if (broker?.has(id) === true) return broker.isHeldBy(id, token);
    const owner = await this.#leases.ownerOf(id);
    return owner !== null && owner !== 'unknown' && owner.digest === digestOf(token);
  }

  /** [N9.2] A WebSocket of a room. @returns true if this process takes it; otherwise it is passed on, or refused. */
  async isRoomHere(upgrade: Upgrade, code: RoomCode): Promise<boolean> {
    const owner = await this.#leases.ownerOf(doorId(code));
    if (owner === 'unknown') return this.#place(upgrade, null);
    return this.#place(upgrade, owner?.process ?? this.members.id);
  }

  /** Null: nobody knows at present. */
  #place(upgrade: Upgrade, owner: ProcessId | null): boolean {
    if (upgrade.stream.destroyed) return false;
    if (owner === this.members.id) return true;
    const member = owner === null ? null : this.members.find(owner);
    if (member === null || Passing.isPassed(upgrade.request)) refuseForNow(upgrade);
    else this.#passing.upgrade(upgrade, member.url);
    return false;
  }

  /** [N9.2] A question about a room. @returns 'elsewhere' if another process answers it; 'unknown' if nobody can say. */
  async asksElsewhere(
    request: Request,
    response: ServerResponse,
    code: RoomCode,
  ): Promise<'here' | 'elsewhere' | 'unknown'> {
    const owner = Passing.isPassed(request) ? null : await this.#leases.ownerOf(doorId(code));
    if (owner === 'unknown') return owner;
    return this.#answerBy(owner && this.members.find(owner.process), request, response);
  }

  /**
   * [N9.8] An order of a room.
   * @param body what the visitor has sent.
   * @param order `code` of a room that moves here, which goes to the process of its door; null for a new room. `protocol`
   * is the version of the visitor's page [N9.10].
   * @returns 'elsewhere' if another process answers it; 'full' if none has a place; 'other version' if none has that
   * version, or the door's process has another one; 'unknown' if nobody can say.
   */
  async opensElsewhere(
    request: Request,
    response: ServerResponse,
    body: Buffer,
    { code, protocol }: { readonly code: RoomCode | null; readonly protocol: number },
  ): Promise<'here' | 'elsewhere' | 'full' | 'other version' | 'unknown'> {
    if (Passing.isPassed(request)) return 'here';
    const owner = code === null ? null : await this.#leases.ownerOf(doorId(code));
    if (owner === 'unknown') return owner;
    if (this.members.all.length === 0) return 'unknown';
    if (this.members.all.every((member) => member.protocol !== protocol)) return 'other version';
    const member = owner === null ? this.#leastLoaded(protocol) : this.members.find(owner.process);
    if (member === null) return 'full';
    if (member.protocol !== protocol) return 'other version';
    this.members.expectRoom(member.id);
    return this.#answerBy(member, request, response, body);
  }

  /** A room that begins may count twice in `expected`. So if that shows no place, it looks again without such rooms. */
  #leastLoaded(protocol: number): Member | null {
    return leastLoaded(this.members.expected, protocol) ?? leastLoaded(this.members.all, protocol);
  }

  #answerBy(
    member: Member | null,
    request: Request,
    response: ServerResponse,
    body?: Buffer,
  ): 'here' | 'elsewhere' {
    if (member === null || member.id === this.members.id) return 'here';
    this.#passing.answer(request, response, member.url, body);
    return 'elsewhere';
  }

  /** [N9.6] The others get no rooms here any more, and know it. */
  async drain(): Promise<void> {
    this.#isDraining = true;
    await this.members.announceAnew();
  }

  /** [N9.6] This process is no member any more. The others take its rooms. */
  async leave(): Promise<void> {
    this.#leases.stop();
    this.#unclaimed.stop();
    this.#passing.stop();
    await this.members.leave();
    this.#redis.close();
  }
}
