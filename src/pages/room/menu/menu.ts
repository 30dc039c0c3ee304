// A later file may narrow what an earlier one says.
import '../styles/room.css';
import '../styles/bar.css';
import '../styles/cards.css';
import '../styles/add.css';
import '../styles/menu.css';
import '../styles/invitation.css';
import '../styles/players.css';
import '../styles/news.css';
import '../styles/small-windows.css';
import type { AddHandlers } from '../bodies/room-bodies.ts';
import { el, uniqueId } from '../../panel/dom.ts';
import { createInvitation, createWaiting } from '../screen/invite.ts';
import { createAdd } from './menu-add.ts';
import { createFigures, createHelp } from './menu-figures.ts';
import type { KeepHandlers } from './menu-keep.ts';
import { createKeep, createRecordingSign } from './menu-keep.ts';
import type { Part } from './menu-parts.ts';
import { forRooms, iconButton, section } from './menu-parts.ts';
import { createWatchLink } from './menu-watch.ts';
import type { PlayerHandlers } from './menu-players.ts';
import { createPlayers } from './menu-players.ts';
import type { MoveHandlers, RuleHandlers, SceneHandlers } from './menu-room.ts';
import {
  createBack,
  createLeave,
  createLobbyButton,
  createRules,
  createScene,
  createWaveButton,
} from './menu-room.ts';
import type { VoiceWish } from './menu-voice.ts';
import type { YouHandlers } from './menu-you.ts';
import { createYou } from './menu-you.ts';
import { createVoice, createVoiceButton, describeVoice } from './menu-voice.ts';
import type { RoomModel } from '../model.ts';
import type { NewsOffer } from '../news/news-list.ts';
import { createNews } from '../news/news-list.ts';
import { createLostBanner, createRoomChip } from '../screen/status.ts';

export type MenuHandlers = PlayerHandlers &
  SceneHandlers &
  RuleHandlers &
  MoveHandlers &
  YouHandlers &
  KeepHandlers &
  AddHandlers & {
    onVoice(wish: VoiceWish): void;
    /** The player wants to stand at its start place again, facing the cubes. */
    onBack(): void;
    onWave(): void;
    onLeave(): void;
  };

export type Menu = {
  /** Updates everything in place; the focus stays. It is cheap enough for ten times a second. */
  show(model: RoomModel): void;
  /** Shows a sentence over the world for a moment. */
  say(sentence: string): void;
  /** Shows news with a button. @returns takes them off the screen, if they are still there. */
  offer(offer: NewsOffer): () => void;
  /** Opens the menu where the player can change its name and colour. */
  openYou(): void;
  /** Takes the menu and its key listeners off the page. */
  remove(): void;
};

/** The menu over the world: a bar that is always there, and a panel that opens from it. */
export function createMenu(container: HTMLElement, handlers: MenuHandlers): Menu {
  const listening = new AbortController();
  const panel = createPanel(handlers);
  const opener = iconButton(() => panel.toggle(), {
    class: 'pill icon opener',
    'aria-expanded': 'false',
    'aria-controls': panel.element.id,
  });
  opener.show('menu', 'Menu (key M)');
  const news = createNews(() => opener.element.focus());
  const voice = forRooms(
    createVoiceButton(
      (wish) => handlers.onVoice(wish),
      () => panel.open('voice'),
    ),
  );
  const wave = createWaveButton(() => handlers.onWave());
  const add = createAdd(handlers, () => panel.close());
  const chip = forRooms(createRoomChip(() => panel.open('top')));
  const back = createLobbyButton(() => handlers.onLeave());
  const lost = createLostBanner(() => handlers.onLeave());
  const waiting = createWaiting();
  panel.onOpen = (open, hadFocus) => {
    if (open) add.close();
    opener.element.setAttribute('aria-expanded', String(open));
    element.classList.toggle('open', open);
    if (hadFocus) opener.element.focus();
  };
  const sign = createRecordingSign(handlers);
  const bar = el(
    'div',
    { class: 'bar' },
    back.element,
    chip.element,
    sign.element,
    add.opener.element,
    wave.element,
    voice.element,
    opener.element,
  );
  const notices = el('div', { class: 'notices' }, lost.element, news.element);
  const element = el('div', { class: 'room' }, bar, panel.element, add.panel, waiting.element, notices);
  container.append(element);
  window.addEventListener(
    'keydown',
    (event) => {
      if (!wantsMenu(event)) return;
      event.preventDefault();
      panel.toggle();
    },
    { signal: listening.signal },
  );

  let voiceBefore: RoomModel['voice']['kind'] = 'off';
  return {
    show(model) {
      for (const part of [back, chip, sign, add.opener, wave, voice, lost, waiting, panel]) part.show(model);
      const { voice: own } = model;
      if (own.kind === 'failed' && voiceBefore !== 'failed') news.say(describeVoice(own));
      voiceBefore = own.kind;
    },
    say: (sentence) => news.say(sentence),
    offer: (offer) => news.offer(offer),
    openYou: () => panel.open('you'),
    remove() {
      listening.abort();
      element.remove();
    },
  };
}

/** True for M and Escape, unless the player types M into a field or Escape closes something else. */
function wantsMenu(event: KeyboardEvent): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || event.repeat || event.defaultPrevented) return false;
  const { target } = event;
  const typing =
    target instanceof HTMLElement && target.matches('input:not([type=checkbox]), select, textarea');
  return event.key === 'Escape' || (event.key.toLowerCase() === 'm' && !typing);
}

type MenuPanel = Part & {
  /** Called whenever the panel has opened or closed. `hadFocus`: it had the focus before. */
  onOpen: (open: boolean, hadFocus: boolean) => void;
  toggle(): void;
  close(): void;
  /** Opens the panel if it is closed, scrolls to its top or to a part, and moves the focus there. */
  open(at: 'top' | 'voice' | 'you'): void;
};

function createPanel(handlers: MenuHandlers): MenuPanel {
  const invitation = createInvitation();
  const voice = forRooms(createVoice((wish) => handlers.onVoice(wish)));
  const you = createYou(handlers);
  const parts: readonly Part[] = [
    forRooms({ element: section('Invite', invitation.element), show: (model) => invitation.show(model) }),
    forRooms(createPlayers(handlers)),
    forRooms(createWatchLink()),
    forRooms(you),
    voice,
    createBack(() => {
      setOpen(false);
      handlers.onBack();
    }),
    createScene(handlers),
    forRooms(createRules(handlers)),
    createKeep(handlers),
    forRooms(createFigures()),
    { element: createHelp(), show: () => undefined },
    createLeave(() => handlers.onLeave()),
  ];
  const title = uniqueId('menu');
  const close = iconButton(() => toggle());
  close.show('close', 'Close the menu');
  const heading = el('h2', { id: title, tabindex: '-1' }, 'Menu');
  const element = el(
    'div',
    { class: 'card menu', id: uniqueId('menu'), role: 'dialog', 'aria-labelledby': title, hidden: true },
    el('header', {}, heading, close.element),
    ...parts.map((part) => part.element),
  );
  let model: RoomModel | null = null;

  const setOpen = (open: boolean): void => {
    const hadFocus = element.contains(document.activeElement);
    element.hidden = !open;
    if (open && model !== null) for (const part of parts) part.show(model);
    panel.onOpen(open, hadFocus);
  };
  const toggle = (): void => {
    if (element.hidden) panel.open('top');
    else setOpen(false);
  };
  const panel: MenuPanel = {
    element,
    onOpen: () => undefined,
    toggle,
    close() {
      if (!element.hidden) setOpen(false);
    },
    open(at) {
      setOpen(true);
      if (at === 'top') element.scrollTop = 0;
      else (at === 'voice' ? voice : you).element.scrollIntoView({ block: 'nearest' });
      const focus = { top: heading, voice: firstButton(voice.element), you: you.field }[at];
      focus?.focus({ preventScroll: at === 'top' });
    },
    show(next) {
      model = next;
      if (!element.hidden) for (const part of parts) part.show(next);
    },
  };
  return panel;
}

function firstButton(part: HTMLElement): HTMLElement | null {
  return part.querySelector<HTMLElement>('button:not([hidden])');
}
