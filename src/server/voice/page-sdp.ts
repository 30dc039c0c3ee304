/**
 * The descriptions of pages, written anew before Janus gets them. Only a few strictly matched values are kept: Janus 1.1
 * can be made to loop for ever by one attribute, sends packets to any candidate, and looks up any name in one. It finds a
 * page without candidates, because the page knocks first.
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
  const written = lines.map((line) => rewriteLine(kind, line, session));
  const mids = lines.map((line) => MID.exec(line)?.[1]);
  if (written.includes(null) || new Set(mids).size < mids.length) return null;
  const head = ['v=0', 'o=- 1 1 IN IP4 0.0.0.0', 's=-', 't=0 0', `a=group:BUNDLE ${mids.join(' ')}`];
  return [...head, ...written, ''].join('\r\n');
}

function rewriteLine(kind: 'speak' | 'listen', line: string, session: string): string | null {
  /** An attribute stands in the line, or for all of them before the first. */
  const read = (pattern: RegExp): string | undefined => (pattern.exec(line) ?? pattern.exec(session))?.[1];
  const [ufrag, pwd, fingerprint, setup] = [UFRAG, PWD, FINGERPRINT, SETUP].map(read);
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
    // Janus tells packets of a bundle apart by it.
    ...(ssrc === undefined ? [] : [`a=ssrc:${ssrc} cname:voice`]),
  ].join('\r\n');
}

/** True if Janus takes the voice: it receives Opus on one line. */
export function isTaken(answer: string): boolean {
  return /^m=audio [1-9]/m.test(answer) && /^a=recvonly\r?$/m.test(answer) && /opus\/48000/i.test(answer);
}
