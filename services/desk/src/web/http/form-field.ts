import { codePoints, KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { readTime } from '../../print/time.js';

/**
 * A field of a sent form or of the query; empty if it is missing. Browsers end lines with two characters; it gets one.
 *
 * @throws KnowledgeError `validation_error` for a field that is too long or was sent twice.
 */
export function formField(sent: FastifyRequest['body'] | FastifyRequest['query'], name: string, max = 200): string {
  const fields = typeof sent === 'object' && sent !== null ? (sent as Record<string, unknown>) : {};
  const typed = Object.hasOwn(fields, name) ? fields[name] : '';
  if (typeof typed !== 'string') throw new KnowledgeError('validation_error', `${name}: must be sent once.`);
  const value = typed.replaceAll('\r\n', '\n');
  if (codePoints(value) > max)
    throw new KnowledgeError('validation_error', `${name}: must be at most ${max} characters.`);
  if (/[\p{Cs}\0]/u.test(value)) throw new KnowledgeError('validation_error', `${name}: must be clean text.`);
  return value;
}

/**
 * The time that somebody typed into a field; undefined if it is empty.
 *
 * @throws KnowledgeError `validation_error` that names the field, for what nobody can read as a time.
 */
export function timeOfField(name: string, text: string): Date | undefined {
  const time = readTime(text);
  if (time !== undefined || text.trim() === '') return time;
  throw new KnowledgeError('validation_error', `${name} must be a time like 2026-06-01 09:00, or a date.`);
}
