/** The pages of the site: files of the repository, and where each stands in the site. */

/** Files with a place of their own, by their paths in the repository. */
const PLACED: Readonly<Record<string, string>> = {
  'docs/site/index.md': 'index.md',
  'src/core/PROTOCOL.md': 'rules/protocol.md',
  'src/core/wire/STANDARD.md': 'rules/standard.md',
  'src/core/wire/files/FILES.md': 'rules/files.md',
  'src/server/HOSTING.md': 'hosting.md',
  'examples/README.md': 'examples.md',
  'ARCHITECTURE.md': 'architecture.md',
  'CHANGELOG.md': 'changelog.md',
  'README.md': 'readme.md',
};

/** Folders whose files all stand in the site, the longest path first. */
const FOLDERS = [
  ['docs/site/reference/', 'reference/'],
  ['docs/guide/', 'guide/'],
  ['docs/', ''],
] as const;

/**
 * @param path of a file in the repository, with slashes.
 * @returns the path of its page in the site; null for a file that is no page.
 */
export function placeOf(path: string): string | null {
  const placed = PLACED[path];
  if (placed !== undefined) return placed;
  if (!path.endsWith('.md')) return null;
  const folder = FOLDERS.find(([from]) => path.startsWith(from));
  if (folder === undefined) return null;
  const rest = path.slice(folder[0].length);
  // Notes for other projects, and folders of pictures.
  if (rest.includes('/')) return null;
  return folder[1] + rest.replace('README.md', 'index.md');
}
