import { KnowledgeError } from '../errors/knowledge-error.js';

/**
 * Reads `id_prefix`, the first characters of a UUID; undefined if empty.
 *
 * @throws KnowledgeError `validation_error` unless the text is 4 to 36 characters of a UUID.
 */
export function readIdPrefix(prefix = ''): string | undefined {
  if (prefix === '') return undefined;
  if (/^[0-9a-f-]{4,36}$/.test(prefix)) return prefix;
  throw new KnowledgeError('validation_error', 'id_prefix must be 4 to 36 characters of 0-9, a-f and hyphens.');
}

/** The range of an index that contains exactly the ids with this prefix. */
export function idRange(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix}g` };
}
