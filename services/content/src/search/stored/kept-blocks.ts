import { type AnalysedBlock, longestShown } from '../index/analysed-blocks.js';
import { NumberReader, writeNumber } from './numbers.js';
import { preparedOf, type TextWords } from './text-words.js';

/** The first blocks of a body as the database keeps them. So a hit is shown without another look at its words. */
export interface KeptBlocks {
  readonly blocks: readonly string[];
  /**
   * For each block twice the number of its terms, plus 1 for a heading. After it come the places of the terms: the distance
   * to the beginning of the term before, and the length. The terms themselves are the first of the prepared ones.
   */
  readonly places: Uint8Array;
}

export function keepBlocks(blocks: readonly AnalysedBlock[]): KeptBlocks {
  const texts: string[] = [];
  const bytes: number[] = [];
  let room = longestShown;
  for (const { isHeading, text, terms, places } of blocks) {
    if (room <= 0) break;
    const own = text.slice(0, room);
    room -= own.length;
    let count = terms.length;
    while (count > 0 && (places[2 * count - 1] ?? 0) > own.length) count--;
    texts.push(own);
    writeNumber(bytes, 2 * count + Number(isHeading));
    let before = 0;
    for (let at = 0; at < count; at++) {
      const start = places[2 * at] ?? 0;
      writeNumber(bytes, start - before);
      writeNumber(bytes, (places[2 * at + 1] ?? 0) - start);
      before = start;
    }
  }
  return { blocks: texts, places: Uint8Array.from(bytes) };
}

/** The blocks again, with the terms of the same text. */
export function readBlocks({ blocks, places: bytes }: KeptBlocks, words: Pick<TextWords, 'prepared'>): AnalysedBlock[] {
  const reader = new NumberReader(bytes);
  const prepared = preparedOf(words);
  const headings = prepared.headings.split(' ');
  const body = prepared.body.split(' ');
  let heading = 0;
  let inBody = 0;
  return blocks.map((text) => {
    const head = reader.next();
    const isHeading = head % 2 === 1;
    const count = head >> 1;
    const terms = isHeading ? headings.slice(heading, heading + count) : body.slice(inBody, inBody + count);
    if (isHeading) heading += count;
    else inBody += count;
    const places = new Uint32Array(2 * count);
    let start = 0;
    for (let term = 0; term < count; term++) {
      start += reader.next();
      places[2 * term] = start;
      places[2 * term + 1] = start + reader.next();
    }
    return { isHeading, text, terms, places };
  });
}
