import { createHash } from 'node:crypto';
import { textBlocks } from '@knowledge/runtime/markdown';
import type { SearchText } from '../../search/index/search-text.js';

/** The pieces of a text that get a vector each. */
export interface TextPieces {
  /** The title with the summary, and the same of the gloss. */
  readonly heads: readonly string[];
  /** The body in passages, each under its heading. */
  readonly passages: readonly string[];
}

/** The length of a passage in UTF-16 units. Of 300, 600, 800 and 1,000, this one ranked the queries of `test/search` best. */
const longest = 800;
/** The vectors of one text are bounded. The passages of the first 50 kB stand for a longer body. */
const maxPassages = 60;
/** A heading may be as long as a body. */
const maxHeading = 200;

/** Cuts a text into the pieces that are embedded. */
export function piecesOf({
  title,
  summary,
  gloss,
  body,
}: Pick<SearchText, 'title' | 'summary' | 'gloss' | 'body'>): TextPieces {
  const heads = [{ title, summary }, ...(gloss === undefined ? [] : [gloss])];
  return { heads: heads.map((head) => `${head.title}. ${head.summary}`.trim()), passages: passagesOf(body) };
}

/** Identifies the pieces of a text, so that nothing is embedded twice. */
export function hashOf({ heads, passages }: TextPieces): string {
  return createHash('sha256')
    .update(JSON.stringify([heads, passages]))
    .digest('base64');
}

function passagesOf(body: string): string[] {
  const passages: string[] = [];
  let heading = '';
  let passage = '';
  const finish = (): void => {
    if (passage !== '') passages.push(heading === '' ? passage : `${heading}. ${passage}`);
    passage = '';
  };
  for (const { isHeading, text } of textBlocks(body)) {
    if (passages.length >= maxPassages) break;
    const line = text.replace(/\s+/g, ' ').trim();
    if (isHeading) {
      finish();
      heading = line.slice(0, maxHeading);
      continue;
    }
    const room = longest - heading.length;
    if (passage !== '' && passage.length + line.length >= room) finish();
    for (const part of split(line, room)) {
      if (passage !== '' && passage.length + part.length >= room) finish();
      passage = passage === '' ? part : `${passage} ${part}`;
    }
  }
  finish();
  return passages.slice(0, maxPassages);
}

/** Splits a long block between words where it has spaces. */
function split(line: string, room: number): string[] {
  const parts: string[] = [];
  let rest = line;
  while (rest.length > room && parts.length <= maxPassages) {
    const space = rest.lastIndexOf(' ', room);
    const end = space > room / 2 ? space : room;
    parts.push(rest.slice(0, end).trim());
    rest = rest.slice(end).trim();
  }
  return rest === '' ? parts : [...parts, rest.slice(0, room)];
}
