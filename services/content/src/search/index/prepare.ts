import { textBlocks } from '@knowledge/runtime/markdown';
import { analyse, type Term } from '../analysis/analyse.js';
import type { Compounds } from '../analysis/compounds.js';
import { primaryLanguage } from '../analysis/stem.js';
import { fold, splitWords } from '../analysis/words.js';
import type { SearchText } from '../texts/search-text.js';

/** The fields of a text that are searched, and how often a word in each counts. */
const fieldWeights = { title: 3, tags: 2, summary: 2, author: 2, headings: 2, body: 1, gloss: 2 } as const;

/**
 * What the score of a text is the sum of. In a long text a few words of the title or of a heading would else count little.
 *
 * Gain in nDCG@10: Starlight 0.090, LISA 0.003, CACM 0.000, sample 0.013 and -0.001 (held).
 */
export const fieldShares = { whole: 1, title: 0.25, headings: 0.5 } as const;
export const scoredFields = ['whole', 'title', 'headings'] as const;

export type Field = keyof typeof fieldWeights;

export const fields = Object.keys(fieldWeights) as readonly Field[];

/** A field of a text, or a block of its body, with its terms. */
export interface Part {
  readonly field: Field;
  readonly text: string;
  readonly terms: readonly Term[];
}

/** Terms as an index takes them: in their order, and how often each counts there. */
export interface PreparedTerms {
  readonly sequence: string[];
  readonly weights: number[];
}

/** Keeps words of different parts apart. */
const gap = ['', '', ''];

/** Finds the terms of each part of a text, in the order of the text. */
export function partsOf(text: SearchText, compounds: Compounds): Part[] {
  const { title, summary, tags, author, body, gloss } = text;
  const primary = primaryLanguage(text.language);
  const part = (field: Field, content: string, language = primary): Part => {
    return { field, text: content, terms: analyse(content, language, compounds) };
  };
  const names = splitWords(author).map((word) => ({ term: fold(word.text), word }));
  return [
    part('title', title),
    ...(gloss === undefined ? [] : [part('gloss', `${gloss.title}\n${gloss.summary}`, 'en')]),
    part('summary', summary),
    // Tags are written in ASCII, and in English as a rule.
    ...tags.map((tag) => part('tags', tag, 'en')),
    { field: 'author', text: author, terms: names },
    ...textBlocks(body).map((block) => part(block.isHeading ? 'headings' : 'body', block.text)),
  ];
}

/**
 * Prepares a text for an index, and learns the words of a German one. Beside all terms it has those of the fields that are
 * scored by themselves too. A field weighs as if its words stood there several times, so BM25 saturates over all fields.
 */
export function prepare(text: SearchText, compounds: Compounds) {
  if (primaryLanguage(text.language) === 'de') compounds.learn(`${text.title}\n${text.summary}\n${text.body}`);
  const prepared = { whole: noTerms(), title: noTerms(), headings: noTerms() };
  const add = ({ sequence, weights }: PreparedTerms, terms: Part['terms'], weight: number) => {
    for (const { term } of terms) {
      sequence.push(term);
      weights.push(weight);
    }
    sequence.push(...gap);
    weights.push(...gap.map(() => 0));
  };
  for (const { field, terms } of partsOf(text, compounds)) {
    add(prepared.whole, terms, fieldWeights[field]);
    if (field === 'title' || field === 'headings') add(prepared[field], terms, 1);
  }
  return { ...prepared, worth: worthOf(prepared.whole.sequence) };
}

/**
 * What the score of a text is multiplied with: less than 1 where it says the same again and again.
 *
 * A phrase sixty times must not win a search. Of the pairs of neighbours in an honest text, two thirds and more stand there
 * once; a text of which less than half do loses as much. It changes nothing in the collections of the bench.
 */
function worthOf(sequence: readonly string[]) {
  const words = sequence.filter((term) => term !== '');
  const pairs = new Set(words.map((term, at) => `${words[at - 1]} ${term}`));
  return Math.min(1, (2 * pairs.size) / Math.max(1, words.length));
}

function noTerms(): PreparedTerms {
  return { sequence: [], weights: [] };
}
