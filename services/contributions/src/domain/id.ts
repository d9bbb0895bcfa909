import { KnowledgeError } from '@knowledge/runtime';

export function isId(value: string): boolean {
  return /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/.test(value);
}

/** @throws KnowledgeError `validation_error` if the caller's new id is not a UUID in lower case. */
export function requireFreshId(id: string): void {
  if (!isId(id)) throw new KnowledgeError('validation_error', 'id must be a UUID in lower case.');
}
