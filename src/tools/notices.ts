/** Packages that every build has; without one of them the notices are not those of the pages. */
const ALWAYS = ['three', 'peerjs', '@dimforge/rapier3d-compat', '@webxr-input-profiles/assets'];

/**
 * Looks over the notices of a build.
 * @param text the Markdown that vite writes: a heading for each bundled package, and its licence below.
 * @returns a line for each package that is missing, or whose licence has no text.
 */
export function wrongNotices(text: string, packages: readonly string[] = ALWAYS): string[] {
  const [, ...sections] = text.split(/^## /m);
  const found = new Map(
    sections.map((section) => {
      const [heading, ...body] = section.split('\n');
      return [heading.replace(/ - \d.*$/, ''), body.join('\n').trim()];
    }),
  );
  const missing = packages.filter((name) => !found.has(name));
  const empty = [...found].filter(([, body]) => !/copyright|licen[cs]e/i.test(body));
  return [
    ...missing.map((name) => `The notices lack ${name}.`),
    ...empty.map(([name]) => `The notices have no licence of ${name}.`),
  ];
}
