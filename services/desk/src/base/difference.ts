import { type Block, changedBlock, differenceOf, type Hunk, type Words } from '@knowledge/runtime/difference';
import { type Paint, terminalSafeText, words } from './text.js';

/** Everything in which two texts differ. */
export type TextDifference = ReturnType<typeof differenceOfTexts>;

export type FieldValue = string | number | readonly string[] | null;

/** A field other than the body, with its two values as `--json` shows them; empty if it did not change. */
export function changedField(field: string, from: FieldValue, to: FieldValue) {
  const [lines, otherLines] = [linesOf(from), linesOf(to)];
  if (lines.join('\n') === otherLines.join('\n')) return [];
  return [{ field, from, to, block: changedBlock(lines, otherLines) }];
}

export function differenceOfTexts(fields: ReturnType<typeof changedField>, before: string, after: string) {
  // The bodies may differ in their line ends alone, which no hunk shows.
  return { fields, hasOtherBody: before !== after, hunks: differenceOf(before, after) };
}

/** Whether two revisions differ in nothing that editors put. */
export function isEqual({ fields, hasOtherBody }: TextDifference): boolean {
  return fields.length === 0 && !hasOtherBody;
}

function linesOf(value: FieldValue) {
  if (value === null || value === '') return [];
  return typeof value === 'object' ? [value.join(', ')].filter((line) => line !== '') : String(value).split('\n');
}

/** How changed text is shown: as whole lines, or as words inside their lines. */
type DifferenceStyle = 'lines' | 'words';

/** Formats a difference for people. Colours only add to the signs that stand in the text. */
export function formatDifference(difference: TextDifference, style: DifferenceStyle, paint: Paint): string {
  if (isEqual(difference)) return 'They do not differ.';
  const { fields, hasOtherBody, hunks } = difference;
  const shown = fields.map(({ field, block }) => section(field, formatBlock(block, style, paint), paint));
  const lines = hunks.flatMap((each) => formatHunk(each, style, paint));
  const body = lines.length > 0 ? lines : ['Only line ends differ.'];
  if (hasOtherBody) shown.push(section('body', body, paint));
  return shown.join('\n\n');
}

function section(name: string, lines: readonly string[], paint: Paint) {
  return [paint.heading(words(name)), ...lines].join('\n');
}

function formatHunk({ header, blocks }: Hunk, style: DifferenceStyle, paint: Paint) {
  return [paint.quiet(header), ...blocks.flatMap((block) => formatBlock(block, style, paint))];
}

function formatBlock(block: Block, style: DifferenceStyle, paint: Paint) {
  if ('same' in block) return block.same.map((line) => ` ${safe(line)}`);
  return style === 'words' ? inlineLines(block.words, paint) : changedLines(block.words, paint);
}

// Shows the removed lines and then the added ones. Words that changed stand out in a line that kept others.
function changedLines(words: readonly Words[], paint: Paint) {
  const isPartly = words.some((each) => each.in === 'both' && /\S/.test(each.text));
  const linesWith = (kind: 'removed' | 'added', sign: string, colour: (text: string) => string) => {
    const mark = (each: Words) => (isPartly && each.in === kind ? paint.marked(safe(each.text)) : safe(each.text));
    const shown = splitLines(words.filter((each) => each.in === kind || each.in === 'both'));
    return shown.map((line) => colour(`${sign}${line.map(mark).join('')}`));
  };
  return [...linesWith('removed', '-', paint.removed), ...linesWith('added', '+', paint.added)];
}

// Shows one text in which removed words are `[-so-]` and added ones `{+so+}`.
function inlineLines(words: readonly Words[], paint: Paint) {
  const show = (each: Words) => {
    if (each.in === 'both') return safe(each.text);
    if (each.in === 'removed') return paint.removed(`[-${safe(each.text)}-]`);
    return paint.added(`{+${safe(each.text)}+}`);
  };
  return splitLines(words).map((line) => ` ${line.map(show).join('')}`);
}

// Each line has an end, so what follows the last one is empty.
function splitLines(words: readonly Words[]) {
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
function safe(text: string) {
  return terminalSafeText(text.replaceAll('\r', '␍'));
}
