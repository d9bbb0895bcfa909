import createMarkdown, { type StateCore, type Token } from 'markdown-it';
import type { Reading } from './reading.js';

/**
 * Names and ranks the headings: `id` as GitHub names them, `earlier` as pages named them before. Empty ones are left out, and a first one that repeats the title becomes an `anchor`.
 * The others stand below the title and leave out no level, as accessible pages require.
 */
export function settleHeadings(state: StateCore): void {
  if (!state.tokens.some(({ type }) => type === 'heading_open')) return;
  const [nameId, nameEarlier] = [uniqueNames(1), uniqueNames(2)];
  const kept: Token[] = [];
  for (let at = 0; at < state.tokens.length; at += 1) {
    const token = state.tokens[at] as Token;
    if (token.type !== 'heading_open') {
      kept.push(token);
      continue;
    }
    const words = wordsOf(state.tokens[at + 1]);
    if (words === '') {
      at += 2;
      continue;
    }
    token.meta = { id: nameId(slugOf(words)), earlier: nameEarlier(`text-${idOf(words) || 'part'}`) };
    const isTitle = kept.length === 0 && lettersOf(words) === lettersOf((state.env as Reading).title);
    kept.push(isTitle ? anchorFor(token) : token);
    if (isTitle) at += 2;
  }
  const ids = new Set(kept.map(({ meta }) => meta?.['id']));
  for (const { meta } of kept) if (meta !== null && ids.has(meta['earlier'])) meta['earlier'] = undefined;
  state.tokens = kept;
  const headings = kept.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  const highest = Math.min(...headings.map(({ tag }) => Number(tag.slice(1))));
  let level = 1;
  for (const heading of headings) {
    if (heading.nesting === 1) level = Math.min(6, level + 1, Number(heading.tag.slice(1)) - highest + 2);
    heading.tag = `h${level}`;
  }
}

/** The words of an inline token, such as that of a heading, on one line. */
export function wordsOf(inline: Token | undefined): string {
  const words = (inline?.children ?? []).map(({ type, content, children }) => {
    if (type === 'softbreak' || type === 'hardbreak') return ' ';
    return children === null ? content : wordsOf({ children } as Token);
  });
  return words.join('').trim();
}

function anchorFor({ map, meta }: Token): Token {
  return Object.assign(new createMarkdown.Token('anchor', 'span', 0), { map, meta });
}

function lettersOf(words: string): string {
  return words
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/** Names a heading as GitHub does. */
function slugOf(words: string): string {
  return (
    words
      .toLowerCase()
      .replace(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
      .replaceAll(' ', '-') || 'part'
  );
}

/** Makes an id of the Latin letters and digits of a title. */
export function idOf(title: string): string {
  return title
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '');
}

/** Makes names unique by numbers from `first` on. */
function uniqueNames(first: number): (name: string) => string {
  const next = new Map<string, number>();
  return (name) => {
    let count = next.get(name) ?? first;
    let unique = name;
    for (; next.has(unique); count += 1) unique = `${name}-${count}`;
    next.set(name, count);
    next.set(unique, next.get(unique) ?? first);
    return unique;
  };
}
