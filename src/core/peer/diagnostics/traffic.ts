/** Bits sent, by what they were for. */
export type PacketBits = { headers: number; avatars: number; bodies: number };

/** What one peer sent to and received from another, counted from the beginning. Payload, not datagrams. */
export class Traffic implements PacketBits {
  headers = 0;
  avatars = 0;
  bodies = 0;
  packetsSent = 0;
  bytesSent = 0;
  longestSent = 0;
  packetsReceived = 0;
  bytesReceived = 0;

  sent(bytes: number, bits: Readonly<PacketBits>): void {
    this.headers += bits.headers;
    this.avatars += bits.avatars;
    this.bodies += bits.bodies;
    this.packetsSent++;
    this.bytesSent += bytes;
    this.longestSent = Math.max(this.longestSent, bytes);
  }

  received(bytes: number): void {
    this.packetsReceived++;
    this.bytesReceived += bytes;
  }
}
