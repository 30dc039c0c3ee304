import type { Level } from '../../world/level.ts';

/**
 * A level as JSON, for `readLevel`: the fields of `Level`, with the index of each body's template in `templates` in
 * place of the template, and likewise for spawning.
 */
export function writeLevel(level: Level): string {
  const { templates, spawning } = level;
  const bodies = level.bodies.map(({ template, start }) => ({
    template: templates.indexOf(template),
    start,
  }));
  const spawned = spawning.templates.map((template) => templates.indexOf(template));
  return JSON.stringify({ ...level, bodies, spawning: { ...spawning, templates: spawned } });
}
