import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';

/**
 * A field of a sent form or of the query; empty if it is missing.
 *
 * @throws KnowledgeError `validation_error` for a field that is too long or was sent twice.
 */
export function formField(sent: FastifyRequest['body'] | FastifyRequest['query'], name: string, max = 200): string {
  const fields = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {};
  const value = Object.hasOwn(fields, name) ? fields[name] : '';
  if (typeof value !== 'string') throw new KnowledgeError('validation_error', `${name}: must be sent once.`);
  if (value.length > max) throw new KnowledgeError('validation_error', `${name}: must be at most ${max} characters.`);
  if (/[\p{Cs}\0]/u.test(value)) throw new KnowledgeError('validation_error', `${name}: must be clean text.`);
  return value;
}
