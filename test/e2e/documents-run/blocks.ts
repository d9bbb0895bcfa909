import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A fenced block of a document. */
export interface Block {
  /** `sh`, `text`, `python`, `ts`, `json`. */
  readonly language: string;
  /** The file name after the language, under which a reader saves the block. */
  readonly name: string;
  readonly text: string;
}

/** The fenced blocks of a document, in their order. */
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
