import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { ReservedDoors } from './reserved-doors.ts';

/** The header in which a server room shows the secret of its server. */
const HEADER = 'handover-house';

/**
 * The rooms of the broker's own server. They all ask from this machine, and strangers choose what they must answer: as
 * one network, a room could use up the share of the others. So each of their ids counts as a network of its own.
 */
export class House {
  /** [N6.3] The doors that wait for these rooms. */
  readonly doors = new ReservedDoors();
  /** Only processes of this server may have it. */
  readonly secret = randomBytes(24).toString('hex');

  /** The headers by which a room is known. Only processes of this server may have them. */
  get headers(): Readonly<Record<string, string>> {
    return { [HEADER]: this.secret };
  }

  /**
   * Returns the network as which a room's id counts; null if the request comes from somebody else.
   * @param id at the broker. It may be that of a door, and logs must not name it.
   */
  networkOf(request: IncomingMessage, id: string): string | null {
    const shown = Buffer.from(String(request.headers[HEADER] ?? ''));
    const secret = Buffer.from(this.secret);
    if (shown.length !== secret.length || !timingSafeEqual(shown, secret)) return null;
    return `server room ${createHmac('sha256', this.secret).update(id).digest('hex').slice(0, 12)}`;
  }
}
