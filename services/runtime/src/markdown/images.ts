import type { StateCore, Token } from 'markdown-it';
import type { Reading } from './reading.js';

/** Finds the line of the first image of another form: in HTML, or as only other programs read it. Code has none. */
export function findImages({ src, tokens, env }: StateCore): void {
  // Most texts have nothing with which such an image begins, also as an entity.
  if (/!\[|[<&]/.test(src)) (env as Reading).image = lineWith(imageOfOthers, tokens);
}

const imageOfOthers =
  /!\[[^\]]{0,200}\]\s?\(|!\[\[|<\s?(?:img|image|picture|svg|video|audio|source|embed|object|iframe|input)\b/i;

/** The line of the first block whose words outside of code match. Before they are joined, escaped signs do not count. */
export function lineWith(pattern: RegExp, tokens: readonly Token[]): number | undefined {
  let line = 1;
  for (const { map, children } of tokens) {
    if (map !== null) line = map[0] + 1;
    const words = (children ?? []).map(({ type, info, content }) =>
      type === 'text' || info === 'entity' ? content : ' ',
    );
    if (pattern.test(words.join(''))) return line;
  }
  return undefined;
}
