/** A link to a file of the repository, which the package does not have. */
const RELATIVE_LINK = /(?<!!)\[[^\]]+\]\((?!https?:|#)[^)]+\)/;
/** Between two sentences of a line. */
const SENTENCE_END = /(?<=[.!?]) (?=[A-Z`*[])/;
/** It stands in for the sentences with such links. */
const ELSEWHERE =
  'The repository has more in its folder `docs`: a guide from an empty folder on, shared values and events, and what all of it costs.';

/**
 * The page of the package: the README's example, and docs/library.md. Sentences that lead to files that the package does
 * not have are left out.
 * @throws Error if the README has no example.
 */
export function packedReadme(readme: string, library: string): string {
  const example = /```ts\n.*?```\n/s.exec(readme)?.[0];
  if (example === undefined) throw new Error('The README has no example.');
  const [title, ...sections] = library.split(/^(?=## )/m);
  const introduction = title.replace(/^# .*\n/, '').trim();
  const parts = [`# Handover`, introduction, ELSEWHERE, `## Twenty lines`, example.trim(), ...sections];
  const lines = parts.join('\n\n').split('\n');
  return `${lines
    .map(withoutLinks)
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim()}\n`;
}

function withoutLinks(line: string): string {
  return line
    .split(SENTENCE_END)
    .filter((sentence) => !RELATIVE_LINK.test(sentence))
    .join(' ');
}
