import type { BodyId } from '../../../core/base/ids.ts';
import { el } from '../../panel/dom.ts';
import type { PeerRecord, RecordDecision } from '../../panel/figures.ts';

export type RecordCard = {
  readonly element: HTMLElement;
  /** Shows a cube's record on each peer. Call it again to keep the card up to date. */
  show(body: BodyId, peers: readonly PeerRecord[]): void;
  hide(): void;
};

/** A card with one cube's record on every peer, side by side, and why the cube changed hands. */
export function recordCard(onClose: () => void): RecordCard {
  const title = el('h2');
  const close = el('button', { type: 'button', class: 'quiet', 'aria-label': 'Close the record' }, '✕');
  const body = el('div', { class: 'record-body' });
  const element = el(
    'section',
    { class: 'card record', 'aria-label': 'Record of a cube', hidden: true },
    el('header', {}, title, close),
    body,
  );
  let shown = '';

  function hide(): void {
    if (element.hidden) return;
    element.hidden = true;
    shown = '';
    onClose();
  }

  close.addEventListener('click', hide);
  return {
    element,
    hide,
    show(id, peers) {
      const content = JSON.stringify([id, peers]);
      element.hidden = false;
      if (content === shown) return;
      shown = content;
      title.textContent = `Cube ${id}`;
      body.replaceChildren(linesTable(peers), whyItChangedHands(peers));
    },
  };
}

/**
 * One row for each label that any peer has, in the order of first appearance. Rows whose values differ are
 * marked.
 */
function linesTable(peers: readonly PeerRecord[]): HTMLElement {
  const labels = [...new Set(peers.flatMap(({ lines }) => lines.map(([label]) => label)))];
  const rows = labels.map((label) => {
    const values = peers.map(({ lines }) => lines.find(([other]) => other === label)?.[1] ?? '–');
    const differ = new Set(values).size > 1;
    return el(
      'tr',
      { class: differ && 'differs' },
      el('th', { scope: 'row' }, label),
      ...values.map((value) => el('td', {}, value)),
    );
  });
  const heads = peers.map(({ peer }) => el('th', { scope: 'col' }, peer));
  return el('table', {}, el('thead', {}, el('tr', {}, el('td'), ...heads)), el('tbody', {}, ...rows));
}

function whyItChangedHands(peers: readonly PeerRecord[]): HTMLElement {
  const columns = peers.map(({ peer, decisions }) =>
    el('section', {}, el('h4', {}, peer), decisionList(decisions)),
  );
  return el(
    'div',
    { class: 'decisions' },
    el('h3', {}, 'Why it changed hands'),
    el('div', { class: 'columns' }, ...columns),
  );
}

function decisionList(decisions: readonly RecordDecision[]): HTMLElement {
  if (decisions.length === 0) return el('p', { class: 'none' }, 'Nobody has had it here yet.');
  const items = decisions.map(({ tick, rule, sentence }) =>
    el(
      'li',
      {},
      el('span', { class: 'rule' }, rule === '' ? '·' : rule),
      el('span', {}, sentence, el('span', { class: 'tick' }, ` tick ${tick}`)),
    ),
  );
  return el('ol', {}, ...items);
}
