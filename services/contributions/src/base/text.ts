import { hash } from 'node:crypto';
import { isUuid, refuse } from '@knowledge/runtime';

/** Cuts a text to at most `max` code points and adds an ellipsis. If possible it cuts after a whole word. */
export function shorten(text: string, max: number): string {
  const points = [...text];
  if (points.length <= max) return text;
  const cut = points.slice(0, max - 1).join('');
  const lastSpace = cut.search(/\s\S*$/);
  const atWord = lastSpace > cut.length * 0.6 ? cut.slice(0, lastSpace) : cut;
  return `${atWord.trimEnd()}…`;
}

/** Hashes a text. Texts that differ only in white space have the same hash. */
export function textHashOf(body: string): string {
  return hash('sha256', body.replace(/\s+/g, ' ').trim(), 'base64url').slice(0, 27);
}

/** @throws KnowledgeError `validation_error` if the caller's new id is not a UUID in lower case. */
export function requireFreshId(id: string): void {
  if (!isUuid(id)) refuse('id must be a UUID in lower case');
}
