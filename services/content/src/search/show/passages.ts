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
 * Cuts out the passages that have most of the words of the query, rare ones before others, best first. Without such a word it is the
 * beginning of the first block; empty if there is no block but headings.
 */
export function cutPassages(blocks: readonly Block[], count: number) {
  let heading: Block | undefined;
  return blocks
    .flatMap((block) => {
      if (!block.isHeading) return [{ ...bestWindow(block, heading), block, heading }];
      heading = block;
      return [];
    })
    .sort((one, other) => other.weight - one.weight)
    .filter(({ block }, at) => at === 0 || block.spots.length > 0)
    .slice(0, count)
    .map((each) => ({ text: cut(each.block.text, each.from, each.to), heading: oneLine(each.heading?.text ?? '') }));
}

/** The best window that begins with a word of the query, or else the beginning of the block. */
function bestWindow({ spots }: Block, heading: Block | undefined) {
  const above = new Map((heading?.spots ?? []).map(({ word, weight }) => [word, weight * headingShare]));
  let best = { from: 0, to: 0, weight: sum(above) };
  const sorted = [...spots].sort((one, other) => one.start - other.start);
  for (const [at, { start }] of sorted.entries()) {
    const has = new Map(above);
    let to = start;
    for (const spot of sorted.slice(at)) {
      if (spot.end - start > longest) break;
      has.set(spot.word, spot.weight);
      to = spot.end;
    }
    if (sum(has) > best.weight || best.to === 0) best = { from: start, to, weight: sum(has) };
  }
  return best;
}

function sum(weights: ReadonlyMap<number, number>) {
  return [...weights.values()].reduce((total, weight) => total + weight, 0);
}

/** Widens a window to whole words, a third of the room before it. */
function cut(text: string, from: number, to: number) {
  const room = longest - (to - from);
  let start = Math.max(0, Math.min(from - Math.floor(room / 3), text.length - longest));
  let end = Math.min(text.length, start + longest);
  // Not within a word of usual length.
  if (start > 0) start = Math.min(from, start + text.slice(start, start + 40).search(/\s/) + 1);
  const space = text.lastIndexOf(' ', end);
  if (end < text.length && space >= end - 40) end = Math.max(to, space);
  const before = start > 0 ? '…' : '';
  const after = end < text.length ? '…' : '';
  // A long word may be cut within a character of two units.
  const shown = oneLine(text.slice(start, end)).replace(/^[\udc00-\udfff]|[\ud800-\udbff]$/g, '');
  return [...`${before}${shown}${after}`].slice(0, 300).join('');
}

function oneLine(text: string) {
  return text.replace(/\s+/g, ' ').trim();
}
