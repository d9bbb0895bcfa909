import { diffArrays, structuredPatch } from 'diff';
import { removedMark } from '../product/rules.js';

/** A piece of two texts: lines that both have, or lines of one in place of lines of the other. */
export type Block =
  | { readonly same: readonly string[] }
  | { readonly removed: readonly string[]; readonly added: readonly string[]; readonly words: readonly Words[] };

/** Some of the words of a changed block, with their spaces and line breaks. */
export interface Words {
  readonly text: string;
  readonly in: 'both' | 'removed' | 'added';
}

/** A place where two texts differ, with the lines around it. */
export interface Hunk {
  /** The place, as in a unified difference: `@@ -1,4 +1,5 @@`. */
  readonly header: string;
  /** The number of its first line in the new text. */
  readonly line: number;
  readonly blocks: readonly Block[];
}

/** Finds where two texts differ. Returns no hunk if only line ends differ. */
export function differenceOf(before: string, after: string): Hunk[] {
  const texts = [before, after].map((text) => `${text.replace(/\r?\n/g, '\n').replace(/\n$/, '')}\n`);
  const [old = '', now = ''] = texts;
  const maxEditLength = mostChanges(old.length + now.length);
  const patch = structuredPatch('', '', old, now, '', '', { context: 3, maxEditLength });
  if (patch === undefined) return [wholeHunk(linesOf(old), linesOf(now))];
  return patch.hunks.map(({ oldStart, oldLines, newStart, newLines, lines }) => ({
    header: headerOf(oldStart, oldLines, newStart, newLines),
    line: newStart,
    blocks: blocksOf(lines),
  }));
}

/** The words around the places where two texts differ, one after the other. An ellipsis stands for what is left out. */
export function wordsAround(before: string, after: string): Words[] {
  return differenceOf(before, after).flatMap(({ blocks }, at) => [
    ...(at === 0 ? [] : [{ text: '…\n', in: 'both' } as const]),
    ...blocks.flatMap((block) =>
      'same' in block ? block.same.map((line) => ({ text: `${line}\n`, in: 'both' }) as const) : block.words,
    ),
  ]);
}

/** Writes the hunks as a unified difference for programs, with the text as it is. */
export function patchOf(hunks: readonly Hunk[]): string {
  return hunks
    .flatMap(({ header, blocks }) => [header, ...blocks.flatMap(signedLines)])
    .map((line) => `${line}\n`)
    .join('');
}

/** Makes the block in which some lines stand in place of others, and finds the words that changed. */
export function changedBlock(removed: readonly string[], added: readonly string[]): Exclude<Block, { same: unknown }> {
  return { removed, added, words: wordsOf(textOf(removed), textOf(added)) };
}

// Finding differences takes the square of their number, and that may grow as the length does. With more than these the
// texts are shown one after the other.
function mostChanges(length: number) {
  return Math.min(1200, 100 + Math.ceil(3 * Math.sqrt(length)));
}

function signedLines(block: Block) {
  if ('same' in block) return block.same.map((line) => ` ${line}`);
  return [...block.removed.map((line) => `-${line}`), ...block.added.map((line) => `+${line}`)];
}

function headerOf(oldStart: number, oldLines: number, newStart: number, newLines: number) {
  return `@@ -${oldStart},${oldLines} +${newStart},${newLines} @@`;
}

function wholeHunk(old: readonly string[], now: readonly string[]): Hunk {
  return { header: headerOf(1, old.length, 1, now.length), line: 1, blocks: [changedBlock(old, now)] };
}

function linesOf(text: string) {
  return text.replace(/\n$/, '').split('\n');
}

// Groups the lines of a patch, of which each begins with a space, `-` or `+`.
function blocksOf(lines: readonly string[]) {
  const blocks: Block[] = [];
  for (let at = 0; at < lines.length; ) {
    const take = (sign: string) => {
      const taken: string[] = [];
      for (; lines[at]?.startsWith(sign); at++) taken.push(lines[at]?.slice(1) ?? '');
      return taken;
    };
    const same = take(' ');
    if (same.length > 0) blocks.push({ same });
    const removed = take('-');
    const added = take('+');
    if (removed.length + added.length > 0) blocks.push(changedBlock(removed, added));
    else if (same.length === 0) throw new Error(`A patch has the line ${lines[at]}.`);
  }
  return blocks;
}

// Every line has an end, so that an empty line is not lost.
function textOf(lines: readonly string[]) {
  return lines.map((line) => `${line}\n`).join('');
}

function wordsOf(removed: string, added: string): Words[] {
  const maxEditLength = mostChanges(removed.length + added.length);
  const changes = diffArrays(tokensOf(removed), tokensOf(added), { maxEditLength });
  if (changes === undefined) {
    return [
      { text: removed, in: 'removed' },
      { text: added, in: 'added' },
    ];
  }
  const words = changes.map(({ value, removed, added }): Words => {
    return { text: value.join(''), in: removed ? 'removed' : added ? 'added' : 'both' };
  });
  return joined(words);
}

/** Splits a text into words, spaces, line ends and signs. The mark of a removed passage is one word. */
function tokensOf(text: string): string[] {
  return text.match(tokens) ?? [];
}

const mark = removedMark.replace(/[[\]]/g, '\\$&');
const tokens = new RegExp(`${mark}|[\\p{L}\\p{M}\\p{N}_]+|\\n|[^\\S\\n]+|.`, 'gsu');

// Changes with nothing but spaces and signs between them are shown as one, since nobody can read them otherwise.
function joined(words: readonly Words[]) {
  const shown: Words[] = [];
  let change = { removed: '', added: '' };
  let between = '';
  const end = () => {
    const space = change.added.slice(change.added.trimEnd().length);
    const common = space !== '' && change.removed.endsWith(space) ? space : '';
    for (const kind of ['removed', 'added'] as const) {
      const text = change[kind].slice(0, change[kind].length - common.length);
      if (text !== '') shown.push({ text, in: kind });
    }
    if (common + between !== '') shown.push({ text: common + between, in: 'both' });
    change = { removed: '', added: '' };
    between = '';
  };
  for (const { text, in: kind } of words) {
    if (kind === 'both') {
      if (change.removed + change.added === '' || !/^[^\p{L}\p{N}\n]*$/u.test(text)) end();
      between += text;
    } else {
      if (change.removed + change.added === '') end();
      change = { removed: change.removed + between, added: change.added + between };
      between = '';
      change[kind] += text;
    }
  }
  end();
  return shown;
}
