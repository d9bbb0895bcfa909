/** A place in a block where a word of the query stands. */
export interface Spot {
  /** The place of the word in the query. */
  readonly word: number;
  /** The rarity of the word. */
  readonly weight: number;
  readonly start: number;
  readonly end: number;
}

/** A heading or another block of a body, in the order of the body. */
export interface Block {
  readonly isHeading: boolean;
  readonly text: string;
  readonly spots: readonly Spot[];
}

/** A part of a body as plain text on one line. */
export interface Passage {
  /** At most 300 code points. */
  readonly text: string;
  /** The heading above it; empty before the first heading. */
  readonly heading: string;
}

/** The length of a passage in UTF-16 units, without the ellipses. */
const longest = 290;
/** How much a word counts that only the heading above a passage has. */
const headingShare = 0.5;

/**
 * Cuts out the passage that has most of the words of the query, rare ones before others. Without such a word it is the
 * beginning of the first block; undefined if there is no block but headings.
 */
export function cutPassage(blocks: readonly Block[]): Passage | undefined {
  let heading: Block | undefined;
  let best: { block: Block; heading: Block | undefined; from: number; to: number; weight: number } | undefined;
  for (const block of blocks) {
    if (block.isHeading) {
      heading = block;
      continue;
    }
    for (const { from, to, weight } of windows(block, heading)) {
      if (best === undefined || weight > best.weight) best = { block, heading, from, to, weight };
    }
  }
  if (best === undefined) return undefined;
  return { text: cut(best.block.text, best.from, best.to), heading: oneLine(best.heading?.text ?? '') };
}

interface Window {
  readonly from: number;
  readonly to: number;
  readonly weight: number;
}

/** The windows that begin with a word of the query, or else the beginning of the block. */
function windows({ spots }: Block, heading: Block | undefined): Window[] {
  const above = new Map((heading?.spots ?? []).map(({ word, weight }) => [word, weight * headingShare]));
  const sorted = [...spots].sort((a, b) => a.start - b.start);
  if (sorted.length === 0) return [{ from: 0, to: 0, weight: sum(above) }];
  return sorted.map(({ start }, at) => {
    const has = new Map(above);
    let to = start;
    for (let next = at; next < sorted.length; next++) {
      const spot = sorted[next];
      if (spot === undefined || spot.end - start > longest) break;
      has.set(spot.word, spot.weight);
      to = spot.end;
    }
    return { from: start, to, weight: sum(has) };
  });
}

function sum(weights: ReadonlyMap<number, number>): number {
  return [...weights.values()].reduce((total, weight) => total + weight, 0);
}

/** Widens a window to whole words, a third of the room before it. */
function cut(text: string, from: number, to: number): string {
  const room = Math.max(0, longest - (to - from));
  let start = Math.max(0, from - Math.floor(room / 3));
  let end = Math.min(text.length, start + longest);
  start = Math.max(0, Math.min(start, end - longest));
  if (start > 0) start = Math.min(from, wordStart(text, start));
  if (end < text.length) end = Math.max(to, wordEnd(text, end));
  const before = start > 0 ? '…' : '';
  const after = end < text.length ? '…' : '';
  return [...`${before}${oneLine(text.slice(start, end))}${after}`].slice(0, 300).join('');
}

function wordStart(text: string, at: number): number {
  const space = text.slice(at, at + 40).search(/\s/);
  return space < 0 ? onCharacter(text, at) : at + space + 1;
}

function wordEnd(text: string, at: number): number {
  const space = text.lastIndexOf(' ', at);
  return space < at - 40 ? onCharacter(text, at) : space;
}

// Does not cut a character of two units.
function onCharacter(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at;
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim();
}
