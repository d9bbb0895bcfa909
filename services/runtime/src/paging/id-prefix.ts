import { KnowledgeError } from '../errors/knowledge-error.js';

/**
 * Reads `id_prefix`, the beginning of a UUID; undefined if empty.
 *
 * @throws KnowledgeError `validation_error` for what begins no UUID, or too many.
 */
export function readIdPrefix(prefix = ''): string | undefined {
  if (prefix === '') return undefined;
  if (/^[0-9a-f-]{4,36}$/.test(prefix)) return prefix;
  throw new KnowledgeError('validation_error', 'id_prefix must be 4 to 36 characters of 0-9, a-f and hyphens.');
}

/** The ids with this prefix, as an index range. */
export function idRange(prefix: string): { $gte: string; $lt: string } {
  return { $gte: prefix, $lt: `${prefix}g` };
}
