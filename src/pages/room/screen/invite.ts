import { encode } from 'uqr';
import { isPerson } from '../../../core/room/people.ts';
import { el, setText, svgPath, uniqueId } from '../../panel/dom.ts';
import { button, iconButton } from '../menu/menu-parts.ts';
import type { Part } from '../menu/menu-parts.ts';
import { spelled, UNREACHABLE } from '../sentences.ts';

/** Milliseconds for which a button says whether the link was copied. */
const SAID_FOR = 2400;
const COPY = 'Copy link';

/** The ways to bring a friend in: the code to say, the link to send, the QR code to show. */
export function createInvitation(): Part {
  const code = el('p', { class: 'code' });
  const letters = el('span', { 'aria-hidden': 'true' });
  const aloud = el('span', { class: 'aloud' });
  code.append(letters, aloud);
  const id = uniqueId('link');
  const link = el('input', { id, type: 'text', readonly: true, 'aria-label': 'Link to this room' });
  link.addEventListener('focus', () => link.select());
  const qr = el('div', { class: 'qr', role: 'img', 'aria-label': 'QR code of the link' });
  const local = el('p', { class: 'warning', hidden: true }, LOCAL_LINK);
  const distrusted = el('p', { class: 'advice', hidden: true }, OWN_CERTIFICATE);
  const unreachable = el('p', { class: 'warning', role: 'status', hidden: true }, UNREACHABLE);
  const actions = el('div', { class: 'actions' }, copyButton(link), ...shareButton(link));
  const locked = el('p', { class: 'shut', hidden: true });
  const words = el('div', { class: 'words' }, code, link, actions);
  return {
    element: el('div', { class: 'invitation' }, locked, words, qr, local, distrusted, unreachable),
    show(model) {
      locked.hidden = !model.locked;
      words.hidden = model.locked;
      const leadsAstray = leadsHere(model.link);
      local.hidden = model.locked || !leadsAstray;
      distrusted.hidden = model.locked || leadsAstray || !model.ownCertificate;
      // A phone that scans it would look for the page on itself.
      qr.hidden = model.locked || leadsAstray;
      setText(
        locked,
        `The room is locked. ${model.you === model.host ? 'Unlock it to invite friends.' : 'Nobody new can join.'}`,
      );
      setText(letters, model.code);
      setText(aloud, `Code: ${spelled(model.code)}`);
      if (link.value !== model.link) {
        link.value = model.link;
        if (!leadsAstray) qr.replaceChildren(qrCode(model.link));
      }
      unreachable.hidden = model.reachable || model.locked || model.connection === 'lost';
    },
  };
}

/** @returns true if a link leads other devices to themselves. */
export function leadsHere(link: string): boolean {
  const { hostname } = new URL(link);
  return /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

const LOCAL_LINK =
  'This link works on this computer only. To let friends in, open this page by its network address.';

const OWN_CERTIFICATE =
  'Your friend’s browser will warn about this site’s certificate. Your friend can choose “Advanced”, and go on.';

/**
 * The invitation for a host that is alone, and for a player that is alone in a server room [N1]. It ends when somebody
 * comes, when the player closes it, or when the room is locked.
 */
export function createWaiting(): Part {
  const invitation = createInvitation();
  const id = uniqueId('waiting');
  let closed = false;
  const close = iconButton(() => {
    closed = true;
    element.hidden = true;
  });
  close.show('close', 'Close this invitation');
  const element = el(
    'section',
    { class: 'card waiting', 'aria-labelledby': id, hidden: true },
    el('header', {}, el('h2', { id }, 'Waiting for a friend…'), close.element),
    invitation.element,
  );
  return {
    element,
    show(model) {
      const invites = model.you === model.host || !isPerson({ slot: model.host });
      const alone = invites && model.players.length <= 1;
      // A player that has had a friend here knows how to invite.
      closed ||= invites && !alone;
      element.hidden = !alone || closed || model.locked;
      if (!element.hidden) invitation.show(model);
    },
  };
}

/** A button that copies the link of a field. */
export function copyButton(link: HTMLInputElement, words = COPY): HTMLElement {
  const say = (text: string): void => {
    copy.textContent = text;
    setTimeout(() => (copy.textContent = words), SAID_FOR);
  };
  const copy = button(
    words,
    () => {
      // Without a secure context there is no clipboard.
      const copied = window.isSecureContext
        ? navigator.clipboard.writeText(link.value)
        : Promise.reject(new Error('no clipboard'));
      copied.then(
        () => say('Copied'),
        () => {
          link.focus();
          say('Copy it from above');
        },
      );
    },
    { class: 'primary copy', 'aria-live': 'polite' },
  );
  return copy;
}

/** A button that opens the system's sheet for sharing; none where there is no such sheet. */
function shareButton(link: HTMLInputElement): HTMLElement[] {
  if (!('share' in navigator)) return [];
  const share = (): void => {
    const data = { title: 'Handover', text: 'Come and play with me:', url: link.value };
    // Rejected when the player closes the sheet, which is no failure.
    navigator.share(data).catch(() => undefined);
  };
  return [button('Share…', share)];
}

function qrCode(link: string): SVGSVGElement {
  const { path, size } = qrPath(link);
  return svgPath(path, size, '#101820');
}

/** Modules of white around the code, which a reader needs. */
const QUIET_ZONE = 4;

/** A QR code as SVG path data in a square of `size` modules, the quiet zone included. */
export function qrPath(text: string): { path: string; size: number } {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const runs: string[] = [];
  data.forEach((row, y) => {
    for (let x = 0; x < row.length; x++) {
      if (!row[x]) continue;
      const start = x;
      while (row[x]) x++;
      runs.push(`M${start} ${y}h${x - start}v1H${start}z`);
    }
  });
  return { path: runs.join(''), size };
}
