import createMarkdown, { type StateCore, type Token } from 'markdown-it';
import type { Footnote, Reading } from './reading.js';
import { sourceTokens } from './source-tokens.js';

/**
 * Shows a top-level block as it was written if its tokens have fewer letters, digits and other signs. A table, for example, loses
 * cells beyond its head. So no rendition hides what another one shows.
 */
export function showLostWords(state: StateCore): void {
  const reading = state.env as Reading;
  const lines = state.src.split('\n');
  const starts = state.tokens.flatMap(({ level, nesting, map }, at) =>
    level === 0 && nesting >= 0 && map !== null ? [{ at, line: map[0] }] : [],
  );
  state.tokens = starts.flatMap(({ at, line }, index) => {
    const next = starts[index + 1];
    const tokens = state.tokens.slice(at, next?.at);
    const own = lines.slice(line, next?.line);
    const shown = [...shownIn(tokens)].join(' ');
    if (lettersIn(own.join(' ')) <= lettersIn(shown)) return tokens;
    const known = new Set(wordsOf(shown));
    const lost = own.findIndex((text) => wordsOf(text).some((word) => !known.has(word)));
    const place = line + Math.max(0, lost) + 1;
    const words = `has words in line ${place} that no page shows, such as those of a cell beyond the head of its table`;
    reading.fault ??= { line: place, words };
    return sourceTokens(own, line);
  });
}

function lettersIn(text: string): number {
  return wordsOf(text).join('').length;
}

// Entities are read in code too, though pages show them as they are, so that both sides count the same.
function wordsOf(text: string): string[] {
  return unescapeAll(text).match(/(?:[\p{L}\p{N}]|[^\0-\x7f\s])+/gu) ?? [];
}

const { unescapeAll } = createMarkdown().utils;

// What pages show, and what stands for itself without being words: targets and labels.
function* shownIn(
  tokens: readonly Token[],
  inTable = tokens.some(({ type }) => type === 'table_open'),
): Generator<string> {
  let label: unknown;
  let words = '';
  let inUrl = false;
  for (const { type, content, info, markup, attrs, meta, children } of tokens) {
    if (type === 'link_open' || type === 'image') {
      // The rest of a reference stands in its definition.
      if (meta?.['label'] === undefined) for (const [, value] of attrs ?? []) yield String(value);
      else if (type === 'image') yield String(meta['label']);
      if (type === 'link_open') [label, words, inUrl] = [meta?.['label'], '', info === 'auto'];
    }
    if (children !== null) yield* shownIn(children, inTable);
    else if (!inUrl) {
      words += content;
      yield content;
    }
    if (type === 'link_close') {
      inUrl = false;
      // In a table, whose cells may be lost, the words of `[label]` count only once.
      if (typeof label === 'string' && !(inTable && label === words.toUpperCase())) yield label;
    } else if (type.startsWith('footnote_') && meta !== null && content === '')
      yield (meta as { note: Footnote }).note.label;
    else if (type === 'fence' || type === 'list_item_open') yield info;
    else if (type === 'hardbreak') yield markup;
  }
}
