import { readingTokens } from '@knowledge/runtime';
import type { BlockKind, TextBlock, TextLayout } from './text-layout.js';

/** The positions, in UTF-16 units, between which something stands. */
export interface TextRange {
  readonly start: number;
  readonly end: number;
}

/** A part of a text that fits, with the kinds of the blocks that were cut at its ends. */
export interface TextPart extends TextRange {
  readonly tokens: number;
  /** The kind of the block inside which the part begins; undefined if it begins with a whole block. */
  readonly beginsInside: BlockKind | undefined;
  readonly endsInside: BlockKind | undefined;
}

/**
 * Takes the next part of a range: as many whole blocks as fit into `maxTokens`. A block that is too large alone is cut
 * between items or rows, else at a line, else between words. The parts of a range, joined, are exactly the range.
 */
export function cutPart(layout: TextLayout, { start, end }: TextRange, maxTokens: number): TextPart {
  const { text } = layout;
  const blocks = rest(layout, { start, end });
  let taken = 0;
  let tokens = 0;
  for (const block of blocks) {
    if (tokens + block.tokens > maxTokens) break;
    tokens += block.tokens;
    taken += 1;
  }
  const next = blocks[taken];
  const partEnd = next === undefined ? end : endBefore(next);
  return {
    start,
    end: partEnd,
    tokens: readingTokens(text.slice(start, partEnd)),
    beginsInside: insideAt(layout, start),
    endsInside: partEnd === end ? undefined : insideAt(layout, partEnd),
  };

  function endBefore(tooLarge: TextBlock) {
    let whole = taken;
    // A heading stays with what it stands above.
    while (whole > 0 && blocks[whole - 1]?.kind === 'heading') whole -= 1;
    if (whole > 0) return blocks[whole - 1]?.end ?? end;
    const inside = tooLarge.kind === 'heading' && taken > 0 ? undefined : cutInside(text, tooLarge, start, maxTokens);
    return inside ?? blocks[taken - 1]?.end ?? oneCharacter(text, start);
  }
}

// The blocks of a range. The first one may have lost its beginning to the part before.
function rest({ text, blocks }: TextLayout, { start, end }: TextRange) {
  return blocks
    .filter((block) => block.end > start && block.start < end)
    .map((block) => {
      if (block.start >= start) return block;
      return { ...block, start, tokens: readingTokens(text.slice(start, block.end)) };
    });
}

// Cuts a block as late as the part that begins at `start` allows. Returns undefined if not one character fits.
function cutInside(text: string, block: TextBlock, start: number, maxTokens: number) {
  const latest = latestEnd(text, start, block.end, maxTokens);
  const first = Math.max(start, block.start);
  const joint = block.joints.findLast((at) => at > first && at <= latest);
  if (joint !== undefined) return joint;
  const line = Math.max(text.lastIndexOf('\n', latest - 1), text.lastIndexOf('\r', latest - 2)) + 1;
  if (line > first) return line;
  const word = text.lastIndexOf(' ', latest - 1) + 1;
  if (word > first) return word;
  const character = isInsideCharacter(text, latest) ? latest - 1 : latest;
  return character > first ? character : undefined;
}

/** The last end up to which a part fits, found by halving. */
function latestEnd(text: string, start: number, end: number, maxTokens: number) {
  let [fits, fitsNot] = [start, end + 1];
  while (fitsNot - fits > 1) {
    const middle = Math.floor((fits + fitsNot) / 2);
    if (readingTokens(text.slice(start, middle)) <= maxTokens) fits = middle;
    else fitsNot = middle;
  }
  return fits;
}

// A part has at least one character, so that every text comes to its end.
function oneCharacter(text: string, start: number) {
  return isInsideCharacter(text, start + 1) ? start + 2 : start + 1;
}

// A cut between the two UTF-16 units of a character would break it. A line end of two characters stays whole, too.
function isInsideCharacter(text: string, at: number) {
  return /^(?:[\ud800-\udbff][\udc00-\udfff]|\r\n)$/.test(text.slice(at - 1, at + 1));
}

function insideAt({ blocks }: TextLayout, at: number) {
  return blocks.find((block) => block.start < at && at < block.end)?.kind;
}
