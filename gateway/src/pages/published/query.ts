import { codePoints, KnowledgeError } from '@knowledge/runtime';
import { limits } from '../../protocol/limits.js';
import type { PageQuery } from '../parts/page-route.js';

/** The text of a query parameter, or '' without it. Throws validation_error if it comes twice or is too long. */
export function textOf(query: PageQuery, name: keyof typeof longest): string {
  const value = query[name] ?? '';
  const max = longest[name];
  if (typeof value === 'string' && codePoints(value) <= max) return value.trim();
  throw new KnowledgeError('validation_error', `${name}: must be given once, with at most ${max} characters.`);
}

const longest = {
  q: limits.query.max,
  tag: limits.tag.max,
  cursor: limits.cursor.max,
  language: limits.language.max,
  author: 200,
} as const;

/** A number of at most `digits` digits, from 1; undefined without the parameter. Throws validation_error for any other value. */
export function numberOf(query: PageQuery, name: 'page' | 'part', digits: number): number | undefined {
  const value = query[name];
  if (value === undefined) return undefined;
  if (typeof value === 'string' && /^[1-9]\d*$/.test(value) && value.length <= digits) return Number(value);
  throw new KnowledgeError('validation_error', `${name}: must be a number from 1, given once.`);
}

/** One of the choices, or undefined without the parameter. Throws validation_error for any other value. */
export function choiceOf<T extends string>(query: PageQuery, name: string, choices: readonly T[]): T | undefined {
  const value = query[name];
  if (value === undefined || value === '') return undefined;
  const chosen = choices.find((choice) => choice === value);
  if (chosen !== undefined) return chosen;
  throw new KnowledgeError('validation_error', `${name}: must be one of ${choices.join(', ')}.`);
}
