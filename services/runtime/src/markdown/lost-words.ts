import type { StateCore, Token } from 'markdown-it';
import type { Meter } from './meter.js';
import type { Footnote, MarkdownFault, Reading } from './reading.js';
import { sourceTokens } from './source-tokens.js';

/**
 * Shows a top-level block as it was written if its tokens lack a letter or digit of it. Tokens lack one, for example, if
 * lists nest too deep. So no rendition hides what another one shows.
 */
export function showLostWords(state: StateCore): void {
  const reading = state.env as Reading;
  const { meter } = reading;
  const lines = state.src.split('\n');
  const starts = state.tokens.flatMap(({ level, nesting, map }, at) =>
    level === 0 && nesting >= 0 && map !== null ? [{ at, line: map[0] }] : [],
  );
  state.tokens = starts.flatMap(({ at, line }, index) => {
    const next = starts[index + 1];
    const tokens = state.tokens.slice(at, next?.at);
    const own = lines.slice(line, next?.line);
    meter.line = line;
    if (!lacksLetters(own.join('\n'), tokens, meter)) return tokens;
    reading.fault ??= faultOf(own, line, tokens);
    return sourceTokens(own, line);
  });
}

function faultOf(lines: readonly string[], firstLine: number, tokens: readonly Token[]): MarkdownFault {
  const shown = new Set([...shownIn(tokens)].flatMap(wordsOf));
  const lost = lines.map((line) => wordsOf(line).find((word) => !shown.has(word)));
  const at = Math.max(
    0,
    lost.findIndex((word) => word !== undefined),
  );
  const line = firstLine + at + 1;
  const named = lost[at] === undefined ? 'words' : `“${lost[at].slice(0, 40)}”`;
  const why = 'a list or quote is too deep, or a row has more cells than the head of its table';
  return { line, words: `has ${named} in line ${line} where no page shows it: ${why}` };
}

function wordsOf(text: string): string[] {
  return text.replace(entity, ' ').match(/[\p{L}\p{N}]+/gu) ?? [];
}

function lacksLetters(source: string, tokens: readonly Token[], meter: Meter): boolean {
  foldedLetters ??= foldLetters();
  const kinds = foldedLetters;
  const allShown = [...shownIn(tokens)];
  // Each link has the target of its reference. This may end the reading, so nothing is counted yet.
  for (const { length } of allShown) meter.spend(length >> 2);
  const surplus: number[] = [];
  forEachLetter(source.includes('&') ? source.replace(entity, ' ') : source, (letter) => {
    counts[letter] = (counts[letter] ?? 0) + 1;
  });
  for (const shown of allShown) {
    forEachLetter(shown, (letter) => {
      const left = (counts[letter] ?? 0) - 1;
      counts[letter] = left;
      if (left < 0) surplus.push(letter);
    });
  }
  let lacks = false;
  forEachLetter(source, (letter) => {
    if ((counts[letter] ?? 0) > 0) lacks = true;
    counts[letter] = 0;
  });
  for (const letter of surplus) counts[letter] = 0;
  return lacks;

  function forEachLetter(text: string, use: (letter: number) => void): void {
    for (let at = 0; at < text.length; at += 1) {
      const letter = kinds[text.charCodeAt(at)] ?? 0;
      if (letter !== 0) use(letter);
    }
  }
}

// What pages show, and what stands for itself without being words: targets, labels, languages of code, numbers.
function* shownIn(tokens: readonly Token[]): Generator<string> {
  let inUrl = false;
  for (const { type, content, info, markup, attrs, meta, children } of tokens) {
    if (type === 'link_open' || type === 'image') {
      inUrl = info === 'auto';
      for (const [, value] of attrs ?? []) yield String(value);
      const label = meta?.['label'];
      if (typeof label === 'string') yield label;
    } else if (type === 'link_close') inUrl = false;
    else if (type.startsWith('footnote_') && meta !== null) yield (meta as { note: Footnote }).note.label;
    if (children !== null) yield* shownIn(children);
    // An entity is not counted in the source either, and the text of a URL is its target.
    else if (info !== 'entity' && !inUrl) yield content;
    if (type === 'fence' || type === 'list_item_open') yield info;
    if (type === 'hardbreak') yield markup;
  }
}

const entity = /&(?:#(?:x[a-f0-9]{1,6}|[0-9]{1,7})|[a-z][a-z0-9]{1,31});/gi;

const counts = new Int32Array(0x10000);

let foldedLetters: Uint16Array | undefined;

/** The capital letter or digit of each UTF-16 unit; 0 of one that is neither. Halves of characters count as letters. */
function foldLetters(): Uint16Array {
  return Uint16Array.from({ length: 0x10000 }, (_, unit) => {
    const character = String.fromCharCode(unit);
    return /[\p{L}\p{N}\p{Cs}]/u.test(character) ? character.toUpperCase().charCodeAt(0) : 0;
  });
}
