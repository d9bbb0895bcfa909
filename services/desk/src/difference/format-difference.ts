import type { Block, Hunk, Words } from '@knowledge/runtime/difference';
import type { Paint } from '../print/paint.js';
import { terminalSafeText } from '../print/terminal-safe.js';
import { type ArticleDifference, isEqual } from './article-difference.js';

/** How changed text is shown: as whole lines, or as words inside their lines. */
export type DifferenceStyle = 'lines' | 'words';

/** Formats a difference for people. Colours only add to the signs that stand in the text. */
export function formatDifference(difference: ArticleDifference, style: DifferenceStyle, paint: Paint): string {
  if (isEqual(difference)) return 'They do not differ.';
  const { fields, hasOtherBody, hunks } = difference;
  const shown = fields.map(({ field, block }) => section(field, formatBlock(block, style, paint), paint));
  const lines = hunks.flatMap((each) => formatHunk(each, style, paint));
  const body = lines.length > 0 ? lines : ['Only line ends differ.'];
  if (hasOtherBody) shown.push(section('body', body, paint));
  return shown.join('\n\n');
}

function section(name: string, lines: readonly string[], paint: Paint): string {
  return [paint.heading(name.replaceAll('_', ' ')), ...lines].join('\n');
}

function formatHunk({ header, blocks }: Hunk, style: DifferenceStyle, paint: Paint): string[] {
  return [paint.quiet(header), ...blocks.flatMap((block) => formatBlock(block, style, paint))];
}

function formatBlock(block: Block, style: DifferenceStyle, paint: Paint): string[] {
  if ('same' in block) return block.same.map((line) => ` ${safe(line)}`);
  return style === 'words' ? inlineLines(block.words, paint) : changedLines(block.words, paint);
}

// Shows the removed lines and then the added ones. Words that changed stand out in a line that kept others.
function changedLines(words: readonly Words[], paint: Paint): string[] {
  const isPartly = words.some((each) => each.in === 'both' && /\S/.test(each.text));
  const linesWith = (kind: 'removed' | 'added', sign: string, colour: (text: string) => string): string[] => {
    const mark = (each: Words): string =>
      isPartly && each.in === kind ? paint.marked(safe(each.text)) : safe(each.text);
    const shown = splitLines(words.filter((each) => each.in === kind || each.in === 'both'));
    return shown.map((line) => colour(`${sign}${line.map(mark).join('')}`));
  };
  return [...linesWith('removed', '-', paint.removed), ...linesWith('added', '+', paint.added)];
}

// Shows one text in which removed words are `[-so-]` and added ones `{+so+}`.
function inlineLines(words: readonly Words[], paint: Paint): string[] {
  const show = (each: Words): string => {
    if (each.in === 'both') return safe(each.text);
    if (each.in === 'removed') return paint.removed(`[-${safe(each.text)}-]`);
    return paint.added(`{+${safe(each.text)}+}`);
  };
  return splitLines(words).map((line) => ` ${line.map(show).join('')}`);
}

// Each line has an end, so what follows the last one is empty.
function splitLines(words: readonly Words[]): Words[][] {
  const lines: Words[][] = [[]];
  for (const { text, in: kind } of words) {
    for (const [at, piece] of text.split('\n').entries()) {
      if (at > 0) lines.push([]);
      if (piece !== '') lines.at(-1)?.push({ text: piece, in: kind });
    }
  }
  return lines.slice(0, -1);
}

/** Makes a piece of a line safe. A return inside it would overwrite the line, so it becomes visible. */
function safe(text: string): string {
  return terminalSafeText(text.replaceAll('\r', '␍'));
}
