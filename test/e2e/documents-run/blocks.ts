import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A fenced code block of a document. */
export interface Block {
  /** The language of the block: `sh`, `text`, `python`, `ts` or `json`. */
  readonly language: string;
  /** The file name after the language. A reader saves the block under this name. */
  readonly name: string;
  readonly text: string;
}

/** Reads the fenced code blocks of a document in their order. */
export function blocksOf(document: string): Block[] {
  const text = readFileSync(`${root}/${document}`, 'utf8');
  return [...text.matchAll(/^```(\w+)(?: (\S+))?\n([\s\S]*?)^```$/gm)].map(
    ([, language = '', name = '', block = '']) => ({
      language,
      name,
      text: block,
    }),
  );
}
