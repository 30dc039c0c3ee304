/**
 * Writes the descriptions of pages anew before Janus gets them. It keeps a few values that match strictly, and nothing
 * else: one hostile attribute makes Janus 1.1 loop for ever, and Janus sends packets to any candidate and looks up any
 * name in one. Janus needs no candidates of a page, because the page sends the first packet.
 */

/** Lines of audio in one description, at most: more than a room has voices. */
const MOST_LINES = 64;

const UFRAG = /^a=ice-ufrag:([\w+/]{4,256})$/m;
const PWD = /^a=ice-pwd:([\w+/]{22,256})$/m;
const FINGERPRINT = /^a=fingerprint:sha-256 ((?:[\dA-F]{2}:){31}[\dA-F]{2})$/im;
const SETUP = /^a=setup:(actpass|active|passive)$/m;
const MID = /^a=mid:(\w{1,16})$/m;
const OPUS = /^a=rtpmap:(\d{1,3}) opus\/48000\/2$/im;
const SSRC = /^a=ssrc:(\d{1,10}) cname:/m;
/** A line that the page does not take. */
const REJECTED = /^m=audio 0 /;

/**
 * Writes a page's description anew.
 * @param kind `speak`: an offer of one line of audio, which the page sends. `listen`: an answer, whose lines it receives.
 * @returns null if it is no such description.
 */
export function rewriteSdp(kind: 'speak' | 'listen', sdp: string): string | null {
  const [session, ...lines] = sdp.replaceAll('\r\n', '\n').split(/^(?=m=)/m);
  if (lines.length < 1 || lines.length > (kind === 'speak' ? 1 : MOST_LINES)) return null;
  const common = pathsIn(session);
  const written = lines.map((line) => rewriteLine(kind, line, common));
  const mids = lines.map((line) => MID.exec(line)?.[1]);
  if (written.includes(null) || new Set(mids).size < mids.length) return null;
  const head = ['v=0', 'o=- 1 1 IN IP4 0.0.0.0', 's=-', 't=0 0', `a=group:BUNDLE ${mids.join(' ')}`];
  return [...head, ...written, ''].join('\r\n');
}

/** The values by which ICE and DTLS find the page, as far as a part of its description has them. */
function pathsIn(part: string): readonly (string | undefined)[] {
  return [UFRAG, PWD, FINGERPRINT, SETUP].map((pattern) => pattern.exec(part)?.[1]);
}

/** @param common the values before the first line: they hold for each line that has none of its own. */
function rewriteLine(
  kind: 'speak' | 'listen',
  line: string,
  common: readonly (string | undefined)[],
): string | null {
  const [ufrag, pwd, fingerprint, setup] = pathsIn(line).map((own, i) => own ?? common[i]);
  const [mid, opus, ssrc] = [MID, OPUS, SSRC].map((pattern) => pattern.exec(line)?.[1]);
  const isWhole = [ufrag, pwd, fingerprint, setup, mid, opus].every((value) => value !== undefined);
  if (!line.startsWith('m=audio ') || !isWhole || REJECTED.test(line)) return null;
  const type = Number(opus);
  if (type < 96 || type > 127) return null;
  return [
    `m=audio 9 UDP/TLS/RTP/SAVPF ${type}`,
    'c=IN IP4 0.0.0.0',
    `a=mid:${mid}`,
    `a=${kind === 'speak' ? 'sendonly' : /^a=inactive$/m.test(line) ? 'inactive' : 'recvonly'}`,
    'a=rtcp-mux',
    `a=ice-ufrag:${ufrag}`,
    `a=ice-pwd:${pwd}`,
    `a=fingerprint:sha-256 ${fingerprint}`,
    `a=setup:${setup}`,
    `a=rtpmap:${type} opus/48000/2`,
    `a=fmtp:${type} minptime=10;useinbandfec=1`,
    // Without it Janus does not know to which line a packet belongs.
    ...(ssrc === undefined ? [] : [`a=ssrc:${ssrc} cname:voice`]),
  ].join('\r\n');
}

/** True if Janus takes the voice: it receives Opus on one line. */
export function isTaken(answer: string): boolean {
  return /^m=audio [1-9]/m.test(answer) && /^a=recvonly\r?$/m.test(answer) && /opus\/48000/i.test(answer);
}
