import type { Comfort } from '../../../input/headset/comfort.ts';
import { SNAP_DEGREES } from '../../../input/headset/comfort.ts';
import { button, columns, paragraph, rect, text } from './panel-boxes.ts';
import type { WristBox, WristState } from './wrist-layout.ts';
import { LABEL, PAGE } from './wrist-layout.ts';

/** Units from one setting to the next. */
const SETTING = PAGE.height / 4;

type Choice = { readonly label: string; readonly change: Partial<Comfort> };

/** Returns the page of the settings for moving. */
export function comfortPage({ comfort }: WristState): WristBox[] {
  const turns = SNAP_DEGREES.map((snapDegrees): Choice => ({
    label: `${snapDegrees}°`,
    change: { snapDegrees, smoothTurn: false },
  }));
  const settings: readonly (readonly [title: string, choices: readonly Choice[]])[] = [
    [
      'Move by',
      [
        { label: 'Teleport', change: { smoothWalking: false } },
        { label: 'Walking', change: { smoothWalking: true } },
      ],
    ],
    ['Turn by', [...turns, { label: 'Smooth', change: { smoothTurn: true } }]],
    [
      'Dark edges while you walk or turn smoothly',
      [
        { label: 'On', change: { vignette: true } },
        { label: 'Off', change: { vignette: false } },
      ],
    ],
    [
      'You play',
      [
        { label: 'Standing', change: { seated: false } },
        { label: 'Sitting', change: { seated: true } },
      ],
    ],
  ];
  return settings.flatMap(([title, choices], i) => setting(PAGE.y + i * SETTING, title, choices, comfort));
}

function setting(y: number, title: string, choices: readonly Choice[], comfort: Comfort): WristBox[] {
  const places = columns(rect(PAGE.x, y + 30, PAGE.width, 50), choices.length, 10);
  return [
    text(rect(PAGE.x + 4, y, PAGE.width - 8, 26), title, LABEL),
    ...choices.map(({ label, change }, i): WristBox => {
      const after = { ...comfort, ...change };
      // With smooth turns, no angle is chosen.
      const isChosen = isSame(after, comfort);
      return button(places[i], {
        label,
        look: isChosen ? 'chosen' : 'plain',
        size: 24,
        action: { kind: 'comfort', comfort: after },
      });
    }),
  ];
}

function isSame(a: Comfort, b: Comfort): boolean {
  return (Object.keys(a) as (keyof Comfort)[]).every((name) => a[name] === b[name]);
}

type HelpLine = readonly [control: string, what: string];

const WITH_CONTROLLERS: readonly HelpLine[] = [
  ['Grip', 'Take something. Swing and let go to throw it.'],
  ['Trigger', 'Bring it to your hand.'],
  ['Stick, while you hold', 'Push it away, pull it near, turn it.'],
  ['Stick', 'Forward: point at the floor and go there. Aside: turn.'],
  ['A or X', 'Kick what you point at, up to 4 m away.'],
  ['Hold it out', 'A friend grips it to take it.'],
  ['Wave', 'Raise a hand and swing it: friends see it.'],
  ['Y or B', 'Open and close this menu.'],
];
const WITH_BARE_HANDS: readonly HelpLine[] = [
  ['Pinch', 'Take something. Swing and let go to throw it.'],
  ['Point and pinch', 'Take something that is far away.'],
  ['Pinch at the floor', 'Hold, aim, and let go: you are there.'],
  ['Middle finger to thumb', 'Kick what you point at, up to 4 m away.'],
  ['Hold it out', 'A friend pinches it to take it.'],
  ['Wave', 'Raise a hand and swing it: friends see it.'],
  ['Left wrist', 'Look at it, and press Menu.'],
];

/** Returns the page that says what the hands can do. */
export function helpPage({ bareHands }: WristState): WristBox[] {
  const { x, y, width } = PAGE;
  const lines = bareHands ? WITH_BARE_HANDS : WITH_CONTROLLERS;
  return lines.flatMap(([control, what], i) => {
    const top = y + i * (PAGE.height / WITH_CONTROLLERS.length);
    return [
      text(rect(x + 4, top, width - 8, 21), control, { size: 19, bold: true }),
      paragraph(rect(x + 4, top + 21, width - 8, 23), what, { size: 18, tone: 'soft' }),
    ];
  });
}
