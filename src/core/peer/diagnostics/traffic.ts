/** Bits sent, by what they were for. */
export type PacketBits = { headers: number; avatars: number; shared: number; bodies: number };

/** Counts the packets that one peer sent to another and received from it, since it began: payload, not datagrams. */
export class Traffic implements PacketBits {
  /** Bits sent; the four kinds together are all bytes sent. */
  headers = 0;
  avatars = 0;
  /** Shared state and events. */
  shared = 0;
  bodies = 0;
  packetsSent = 0;
  bytesSent = 0;
  /** Bytes of the longest packet. */
  longestSent = 0;
  packetsReceived = 0;
  bytesReceived = 0;

  /** Counts a packet that was sent. */
  sent(bytes: number, bits: Readonly<PacketBits>): void {
    this.headers += bits.headers;
    this.avatars += bits.avatars;
    this.shared += bits.shared;
    this.bodies += bits.bodies;
    this.packetsSent++;
    this.bytesSent += bytes;
    this.longestSent = Math.max(this.longestSent, bytes);
  }

  /** Counts a packet that was received and read whole. */
  received(bytes: number): void {
    this.packetsReceived++;
    this.bytesReceived += bytes;
  }
}
