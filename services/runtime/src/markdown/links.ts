import type { StateCore, Token } from 'markdown-it';
import createMarkdown from 'markdown-it';
import { hiddenTarget } from '../text/hosts.js';
import { type FoundLink, type Reading, schemeOf, sourceTokens } from './parser.js';

/**
 * Finds where links lead. What people could not see becomes words: titles, labels with letters, targets that lead
 * nowhere, those of links without words, and the host behind an address of another one. An image becomes a link, or
 * words inside of one.
 */
export function settleLinks({ tokens, env }: StateCore): void {
  const reading = env as Reading;
  const { links, labels } = reading;
  const ids = new Set<unknown>(tokens.flatMap(({ meta }) => [meta?.['id'], meta?.['earlier']]));
  const hrefs = new Map<string, string>();
  let line = 1;
  for (const token of tokens) {
    if (token.map !== null) line = token.map[0] + 1;
    // Only links and images have attributes here.
    if (token.children?.some(({ attrs }) => attrs !== null)) token.children = [...settled(token.children)];
  }

  function* settled(children: readonly Token[]): Generator<Token> {
    let open: Token | undefined;
    let words = '';
    for (const token of children) {
      if (token.type === 'link_open') [open, words] = [token, ''];
      if (token.type === 'image') {
        reading.image = Math.min(line, reading.image ?? line);
        const alt = wordsOf(token) || 'image';
        const link = find(token, 'src', alt);
        token.children = null;
        token.content = `${alt} (image)${open === undefined ? link.behind : ''}`;
        if (open === undefined) token.meta = link;
      }
      if (token.type === 'footnote_mark' && open !== undefined) token.info = 'in link';
      if (token.type !== 'link_close' || open === undefined) {
        words += token.content;
        yield token;
        continue;
      }
      const { behind, ...link } = find(open, 'href', words);
      open.meta = link;
      token.meta = { leads: link.leads };
      if (words.trim() === '') yield textToken(String(open.attrGet('href')));
      yield token;
      if (behind !== '') yield textToken(behind);
      open = undefined;
    }
  }

  function find(token: Token, attribute: 'href' | 'src', words: string) {
    const target = String(token.attrGet(attribute));
    const leads = target.startsWith('#') ? (ids.has(anchorOf(target)) ? 'here' : 'nowhere') : leadOf(target);
    const hidden = hiddenTarget(words, target);
    links.push({ target, leads, hidden, line });
    const label = labels.get(token.meta?.['label']);
    // A label without letters is a name, such as `[1]`.
    const isName = label === undefined || !/\p{L}/u.test(label) || label.toLowerCase() === words.toLowerCase();
    const unseen = [leads === 'nowhere' ? target : hidden, !isName && label, token.attrGet('title')];
    const added = unseen.filter((each) => each && each !== words).join(', ');
    const href = hrefs.get(target) ?? normalizeLink(target);
    hrefs.set(target, href);
    return { leads, href, behind: added === '' ? '' : ` (${added})` };
  }
}

function anchorOf(target: string) {
  try {
    return decodeURIComponent(target.slice(1));
  } catch {
    return target.slice(1);
  }
}

function leadOf(target: string): FoundLink['leads'] {
  if (schemeOf(target) !== undefined) return 'out';
  // A path from the page on which the text stands leads nowhere, since the text stands on several.
  if (!target.startsWith('/') || !URL.canParse(target, base)) return 'nowhere';
  const { origin, pathname } = new URL(target, base);
  return origin === base && publicPath.test(pathname) ? 'ours' : 'nowhere';
}

const { normalizeLink } = createMarkdown();

const base = 'http://ours.invalid';
const publicPath = /^\/(?:articles|objects|prompts|search|docs|for-agents|about)?(?:\/|$)/;

function textToken(content: string): Token {
  return Object.assign(new createMarkdown.Token('text', '', 0), { content });
}

/** Shows the definitions of references that nothing uses as they were written. The others are seen where they are used. */
export function showUnusedReferences(state: StateCore): void {
  if (!state.tokens.some(isDefinition)) return;
  const used = new Set(labelsIn(state.tokens));
  const lines = state.src.split('\n');
  state.tokens = state.tokens.flatMap((token) => {
    if (!isDefinition(token) || token.map === null) return [token];
    const own = lines.slice(...token.map);
    // Only the first definition of a label counts.
    if (!used.delete(token.meta?.['label']))
      return sourceTokens(own, token.map[0]).map((each) => Object.assign(each, { level: token.level }));
    token.content = own.join('\n');
    (state.env as Reading).labels.set(token.meta?.['label'], token.content.replace(/^[^[]*\[|\]:.*/gs, ''));
    return [token];
  });
}

function isDefinition({ type }: Token) {
  return type === 'reference_definition';
}

function* labelsIn(tokens: readonly Token[]): Generator<unknown> {
  for (const { type, meta, children } of tokens) {
    if (type === 'link_open' || type === 'image') yield meta?.['label'];
    if (children !== null) yield* labelsIn(children);
  }
}

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
export function wordsOf(inline: Pick<Token, 'children'> | undefined): string {
  const words = (inline?.children ?? []).map(({ type, content, children }) => {
    if (type === 'softbreak' || type === 'hardbreak') return ' ';
    return children === null ? content : wordsOf({ children });
  });
  return words.join('').trim();
}

function anchorFor({ map, meta }: Token): Token {
  return Object.assign(new createMarkdown.Token('anchor', 'span', 0), { map, meta });
}

function lettersOf(words: string) {
  return words
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '');
}

/** Names a heading as GitHub does. */
function slugOf(words: string) {
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
