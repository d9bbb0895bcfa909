import { KnowledgeError } from '@knowledge/runtime';
import { limits } from '../protocol/limits.js';

/** A query as a page is asked with it: nothing checked. */
export type PageQuery = Readonly<Record<string, unknown>>;

/** The text of a parameter; empty where it is not given. Throws validation_error where it is given twice or too long. */
export function textOf(query: PageQuery, name: 'q' | 'tag' | 'cursor'): string {
  const value = query[name] ?? '';
  const max = { q: limits.query.max, tag: limits.tag.max, cursor: limits.cursor.max }[name];
  if (typeof value === 'string' && [...value].length <= max) return value.trim();
  throw new KnowledgeError('validation_error', `${name}: must be given once, with at most ${max} characters.`);
}

/** One of the given words, or undefined where the parameter is not given. Throws validation_error for another. */
export function choiceOf<T extends string>(query: PageQuery, name: string, choices: readonly T[]): T | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new KnowledgeError('validation_error', `${name}: must be one of ${choices.join(', ')}.`);
}
