import { deadLinkNote, type MarkdownToken, readMarkdown } from '@knowledge/runtime/markdown';

// Each pattern is tried on a line without code, and takes a time like its length.
const syntaxes: readonly (readonly [string, RegExp])[] = [
  ['shortcodes', /\{\{[<%]/],
  ['template tags', /\{%|\{\{(?![<%])/],
  ['attributes', /\{:|(?<!\{)\{(?:#[\w-]|\.[a-z_-]|[a-z-]{2,}=)[^{}]*\}/i],
  ['containers', /^:{3}/],
  ['wikilinks', /\[\[[^[\]]+\]\]/],
  ['MDX code', /^(?:import .*['"]|export (?:const|default|function)\b)/],
  ['HTML comments', /<!--/],
  ['HTML or components', /<\/[a-z][^<>]*>|<[a-z][^<>]*\/>|^<[a-z][^<>]*>/i],
  ['comments of Obsidian', /%%/],
  // The kinds that pages know have become words here.
  ['callouts', /^\[![a-z][\w-]*\]/i],
  ['highlights', /(?<![\w=])==(?![\s=])[^=]*(?<!\s)==(?![\w=])/],
  ['block ids', /(?:^|\s)\^(?=[\d-]*[a-z])[a-z\d-]+$/i],
  ['grid tables', /^\+[-=:][-=:+]*\+$/],
  // Prices have a digit behind the first sign or the second, or a space before the second.
  [
    'maths',
    /^\$\$$|\$\$(?=[^$]*[\\^=])[^$]+\$\$|(?<![\p{L}\d$])\$\$?(?:[\p{L}\\({[|]|\d+[a-z](?=\$)|(?=[^$]*[\\^=])[\d+-])[^$]*(?<!\s)\$(?![\p{L}\d({])/u,
  ],
  ['emoji names', /(?<![\w:]):(?:[+-]1|100|[a-z][\w+-]*):(?![\w:])/],
];

/** Names what pages show as it was typed, and links that lead nowhere, with the lines of the file. */
export function foreignSyntax(body: string, before: number): string[] {
  const { tokens, links } = readMarkdown(body);
  const found = new Map<string, Set<number>>();
  for (const [line, words] of linesOf(tokens)) {
    for (const [name, pattern] of syntaxes) {
      if (pattern.test(words)) found.set(name, (found.get(name) ?? new Set()).add(line + before));
    }
  }
  const notes = [...found].map(([name, lines]) => `${name} shown as typed: line ${listed([...lines])}`);
  const dead = deadLinkNote(links, before);
  return dead === undefined ? notes : [...notes, dead];
}

const shown = 5;

function listed(lines: readonly number[]) {
  const more = lines.length > shown ? ` and ${lines.length - shown} more` : '';
  return `${lines.slice(0, shown).join(', ')}${more}`;
}

/** The words of each line of text, without code. */
function* linesOf(tokens: readonly MarkdownToken[]): Generator<readonly [number, string]> {
  let line = 1;
  for (const { map, children } of tokens) {
    if (map !== null) line = map[0] + 1;
    let words = '';
    let at = line;
    for (const { type, content, markup } of children ?? []) {
      if (type === 'softbreak' || (type === 'hardbreak' && !markup.startsWith('<'))) {
        yield [at, words];
        at += 1;
        words = '';
      } else words += type === 'code_inline' ? ' ' : content;
    }
    yield [at, words];
  }
}
