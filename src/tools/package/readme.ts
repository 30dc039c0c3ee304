/** A link to a file of the repository, which the package does not have. */
const RELATIVE_LINK = /(?<!!)\[([^\]]+)\]\((?!https?:|#)[^)]+\)/g;

/**
 * The page of the package: the README's example, and docs/library.md.
 * @throws Error if the README has no example.
 */
export function packedReadme(readme: string, library: string): string {
  const example = /```ts\n.*?```\n/s.exec(readme)?.[0];
  if (example === undefined) throw new Error('The README has no example.');
  const [title, ...sections] = library.split(/^(?=## )/m);
  const introduction = title.replace(/^# .*\n/, '').trim();
  const page = [`# Handover`, introduction, `## Twenty lines`, example.trim(), ...sections].join('\n\n');
  return `${page
    .replace(RELATIVE_LINK, '$1')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}
