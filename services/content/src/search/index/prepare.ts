import { analyse } from '../analysis/analyse.js';
import type { Compounds } from '../analysis/compounds.js';
import { fold } from '../analysis/fold.js';
import { primaryLanguage } from '../analysis/stem.js';
import { splitWords } from '../analysis/words.js';
import { type AnalysedBlock, analyseBlocks } from './analysed-blocks.js';
import type { SearchText } from './search-text.js';

/** The fields of a text that are searched, with the weight of a word in each. */
export const fieldWeights = { title: 3, tags: 2, summary: 2, author: 2, headings: 1.5, body: 1, gloss: 2 } as const;

export type Field = keyof typeof fieldWeights;

export const fields = Object.keys(fieldWeights) as readonly Field[];

/** The prepared words of each field, separated by spaces. */
export type PreparedText = Readonly<Record<Field, string>>;

/** Prepares a text for the index, with the blocks of its body. */
export function prepare(
  text: SearchText,
  compounds: Compounds,
  blocks: readonly AnalysedBlock[] = analyseBlocks(text, compounds),
): PreparedText {
  const language = primaryLanguage(text.language);
  const own = (part: string): string => join(analyse(part, language, compounds));
  const english = (part: string): string => join(analyse(part, 'en'));
  const { gloss } = text;
  return {
    title: own(text.title),
    // Tags are written in ASCII, and in English as a rule.
    tags: english(text.tags.join(' ')),
    summary: own(text.summary),
    author: splitWords(text.author)
      .map((word) => fold(word.text))
      .join(' '),
    headings: blocks.flatMap(({ isHeading, terms }) => (isHeading ? terms : [])).join(' '),
    body: blocks.flatMap(({ isHeading, terms }) => (isHeading ? [] : terms)).join(' '),
    // The title of a gloss counts twice, since a gloss has one field.
    gloss: gloss === undefined ? '' : english(`${gloss.title}\n${gloss.title}\n${gloss.summary}`),
  };
}

/** Learns the words of a German text, with which compounds are split. */
export function learnCompounds(
  text: Pick<SearchText, 'language' | 'title' | 'summary' | 'body'>,
  compounds: Compounds,
): void {
  if (!isGerman(text)) return;
  for (const part of [text.title, text.summary, text.body])
    for (const word of splitWords(part)) compounds.learn(word.text);
}

export function isGerman({ language }: Pick<SearchText, 'language'>): boolean {
  return primaryLanguage(language) === 'de';
}

function join(terms: readonly { readonly term: string }[]): string {
  return terms.map(({ term }) => term).join(' ');
}
