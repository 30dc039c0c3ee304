import type { DefaultTheme } from 'vitepress';
import { FACES } from '../faces.js';

const page = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link });

const GUIDE = [
  page('Start', '/guide/start'),
  page('Your own world', '/guide/own-world'),
  page('Authority', '/guide/authority'),
  page('Time', '/guide/time'),
  page('The wire and its budget', '/guide/wire'),
  page('Levels', '/guide/levels'),
  page('Machines', '/guide/machines'),
  page('Hosting', '/guide/hosting'),
  page('Testing your game', '/guide/testing'),
  page('Coming from another library', '/guide/when-not'),
];

const MORE = [
  page('All imports', '/library'),
  page('Shared state and events', '/shared-state'),
  page('Rooms on a server', '/server-rooms'),
  page('Recipes for operators', '/hosting'),
  page('Examples', '/examples'),
  page('Sizes', '/sizes'),
  page('What it costs', '/costs'),
  page('Which network model?', '/which-model'),
];

const RULES = [
  page('Protocol', '/rules/protocol'),
  page('The wire, bit by bit', '/rules/standard'),
  page('Files', '/rules/files'),
  page('Architecture', '/architecture'),
  page('Changes', '/changelog'),
];

export const SIDEBAR: DefaultTheme.Sidebar = [
  { text: 'Guide', items: GUIDE },
  { text: 'More', items: MORE },
  {
    text: 'Reference',
    collapsed: true,
    items: FACES.map((face) => page(face.import, `/reference/${face.page}`)),
  },
  { text: 'How it works', collapsed: true, items: RULES },
];

export const NAVIGATION: DefaultTheme.NavItem[] = [
  { text: 'Guide', link: '/guide/start' },
  { text: 'Reference', link: '/reference/handover' },
  { text: 'Which model?', link: '/which-model' },
  { text: 'Play', link: '/play' },
];
