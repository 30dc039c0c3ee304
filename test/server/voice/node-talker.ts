import type { PeerConnection, Track } from 'node-datachannel';
import datachannel from 'node-datachannel';
import type { WebSocket } from 'ws';
import type { VoiceRequest } from '../../../src/transport/socket/voice-messages.ts';
import { readVoiceNews, writeVoiceMessage } from '../../../src/transport/socket/voice-messages.ts';

/** The payload type of Opus in our offers. */
const OPUS = 111;
/** Bytes of the head of an RTP packet, and of the sound in it. */
const HEAD = 12;
const SOUND = 100;
/** Milliseconds between two packets of a voice: a tenth of what a browser sends, so that many fit on this machine. */
const EVERY_MS = 200;

/** A page without a browser: it speaks packets that name their speaker, and counts those that it hears. */
export class NodeTalker {
  /** By page: the packets heard on the line that the site says to be of that page, and the speakers that they name. */
  readonly heard = new Map<string, Set<number>>();
  /** Offers of voices so far. */
  offers = 0;
  readonly #number: number;
  readonly #socket: WebSocket;
  #speaking: PeerConnection | null = null;
  #listening: PeerConnection | null = null;
  #pages: Readonly<Record<string, string>> = {};
  #timer: NodeJS.Timeout | undefined;

  /** @param number names the speaker, 0 to 255. @param socket to the voices of a room. */
  constructor(number: number, socket: WebSocket) {
    this.#number = number;
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      const news = readVoiceNews(data.toString());
      if (news?.kind === 'speaking') this.#speaking?.setRemoteDescription(news.sdp, 'answer');
      else if (news?.kind === 'voices') void this.#listen(news.sdp, news.pages);
    });
  }

  /** Begins to speak. @param more a hostile attribute of its offer. */
  async speak(more = ''): Promise<void> {
    const connection = new datachannel.PeerConnection(`speaker ${this.#number}`, { iceServers: [] });
    this.#speaking = connection;
    const audio = new datachannel.Audio('0', 'SendOnly');
    audio.addOpusCodec(OPUS);
    audio.addSSRC(1000 + this.#number, 'a voice');
    const track = connection.addTrack(audio);
    connection.setLocalDescription();
    this.#send({ kind: 'speak', sdp: (await described(connection)) + more });
    let sequence = 0;
    this.#timer = setInterval(() => {
      if (track.isOpen()) track.sendMessageBinary(packet(this.#number, sequence++));
    }, EVERY_MS);
  }

  /** Speaks no more. */
  hush(): void {
    clearInterval(this.#timer);
    this.#send({ kind: 'hush' });
    this.#speaking?.close();
    this.#speaking = null;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#speaking?.close();
    this.#listening?.close();
    this.#socket.terminate();
  }

  async #listen(sdp: string, pages: Readonly<Record<string, string>>): Promise<void> {
    this.offers++;
    this.#pages = pages;
    this.#listening ??= this.#newListening();
    const connection = this.#listening;
    connection.setRemoteDescription(sdp, 'offer');
    this.#send({ kind: 'listen', sdp: await described(connection) });
  }

  #newListening(): PeerConnection {
    const connection = new datachannel.PeerConnection(`listener ${this.#number}`, { iceServers: [] });
    connection.onTrack((track) => this.#hear(track));
    return connection;
  }

  #hear(track: Track): void {
    this.#tracks.push(track);
    track.onMessage((bytes) => {
      const page = this.#pages[track.mid()];
      // Janus adds extensions to the head.
      const isSound = bytes.length >= HEAD + SOUND && (bytes[1] & 0x7f) === OPUS;
      if (page === undefined || !isSound) return;
      const speakers = this.heard.get(page) ?? new Set<number>();
      this.heard.set(page, speakers.add(bytes[bytes.length - SOUND]));
    });
  }

  /** Tracks that nobody keeps are collected, and hear nothing more. */
  readonly #tracks: Track[] = [];

  #send(request: VoiceRequest): void {
    this.#socket.send(writeVoiceMessage(request));
  }
}

/** Waits for the description with all paths. */
async function described(connection: PeerConnection): Promise<string> {
  while (connection.gatheringState() !== 'complete' || connection.localDescription() === null)
    await new Promise((resolve) => void setTimeout(resolve, 20));
  return connection.localDescription()?.sdp ?? '';
}

function packet(speaker: number, sequence: number): Buffer {
  const bytes = Buffer.alloc(HEAD + SOUND);
  bytes[0] = 0x80;
  bytes[1] = OPUS;
  bytes.writeUInt16BE(sequence & 0xffff, 2);
  bytes.writeUInt32BE(sequence * 48 * EVERY_MS, 4);
  bytes.writeUInt32BE(1000 + speaker, 8);
  bytes[HEAD] = speaker;
  return bytes;
}
