import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { formField } from '../http/form-field.js';

/** The reason of a change; empty if none was given. */
export function reasonOf({ body }: FastifyRequest): string {
  return formField(body, 'reason', 2000);
}

/** @throws KnowledgeError `validation_error` for a reason without words, which passes the check of a browser. */
export function requiredReasonOf(request: FastifyRequest): string {
  const reason = reasonOf(request);
  if (reason.trim() === '') throw new KnowledgeError('validation_error', 'Reason is required: say why.');
  return reason;
}

/** @throws KnowledgeError `validation_error` unless the field has whole days. */
export function daysOf({ body }: FastifyRequest): number {
  const days = formField(body, 'days', 10).trim();
  if (/^\d{1,4}$/.test(days)) return Number(days);
  throw new KnowledgeError('validation_error', 'Days must be a whole number; 0 means for ever.');
}
