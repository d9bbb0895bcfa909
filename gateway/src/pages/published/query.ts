import { KnowledgeError } from '@knowledge/runtime';
import { limits } from '../../protocol/limits.js';

/** A query as a page is asked with it: nothing checked. */
export type PageQuery = Readonly<Record<string, unknown>>;

/** The text of a parameter; empty where it is not given. Throws validation_error where it is given twice or too long. */
export function textOf(query: PageQuery, name: keyof typeof longest): string {
  const value = query[name] ?? '';
  const max = longest[name];
  if (typeof value === 'string' && [...value].length <= max) return value.trim();
  throw new KnowledgeError('validation_error', `${name}: must be given once, with at most ${max} characters.`);
}

const longest = {
  q: limits.query.max,
  tag: limits.tag.max,
  cursor: limits.cursor.max,
  language: 35,
  author: 200,
} as const;

/** The number of a page, from 1. Throws validation_error for another. */
export function pageOf({ page }: PageQuery): number {
  if (page === undefined) return 1;
  if (typeof page === 'string' && /^[1-9]\d{0,3}$/.test(page)) return Number(page);
  throw new KnowledgeError('validation_error', 'page: must be a number from 1, given once.');
}

/** One of the given words, or undefined where the parameter is not given. Throws validation_error for another. */
export function choiceOf<T extends string>(query: PageQuery, name: string, choices: readonly T[]): T | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new KnowledgeError('validation_error', `${name}: must be one of ${choices.join(', ')}.`);
}
