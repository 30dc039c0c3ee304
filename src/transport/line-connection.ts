/** The events of a connection, which its line takes in. */
export type ConnectionEvents = {
  /** Something has come on the channel of messages; a line takes texts alone. */
  message(data: string | Uint8Array): void;
  /** Something has come on the channel of packets; a line takes bytes alone. They are the line's from now on. */
  packet(data: string | Uint8Array): void;
  /** The other end has opened a channel that no line has. */
  extraChannel(): void;
  /** A channel has closed, or could not be opened. It may be told again. */
  ended(): void;
};

/**
 * A connection as a line uses it, with two channels: one for messages, reliable and in order, and one for packets, which
 * neither orders them nor sends a lost packet again. A page has it through PeerJS, Node through node-datachannel. [N2.3]
 * Over a WebSocket both are reliable and in order.
 */
export interface LineConnection {
  /** The id at the broker of the page at the other end, as the broker vouches for it. */
  readonly page: string;
  /** True while both channels are open. */
  readonly isOpen: boolean;
  /** True once the other end has answered the call. */
  readonly hasAnswer: boolean;
  /** True if the other end has answered on the network, though the channels may not be open yet. */
  readonly isAnswered: boolean;
  /**
   * [P2.2] The parts of the channel binding that each end brings, which no other connection has: its DTLS fingerprints,
   * or [N2.4] its nonce. Null while one is not known, and where a browser hides it.
   */
  readonly ownBinding: string | null;
  readonly otherBinding: string | null;
  /** Bytes that wait in the channels. */
  readonly unsentMessages: number;
  readonly unsentPackets: number;
  /** Has everything told to a line. Call it once, at once. */
  listen(events: ConnectionEvents): void;
  /** Sends a text on an open connection. */
  sendMessage(text: string): void;
  /** Sends a packet; the bytes are copied. @returns false if the channel of packets is not open. */
  sendPacket(bytes: Uint8Array): boolean;
  /** Ends the connection at once; a second call does nothing. */
  close(): void;
}

/** The number of the packets' channel, which both ends know beforehand; the channel of messages has one of the first. */
export const PACKETS_CHANNEL = 64;
