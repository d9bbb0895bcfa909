import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { CreatePromptRequest } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { readTime } from '../../read-time.js';
import { sites } from '../../words.js';
import { formField } from '../http/form-field.js';

/** A new prompt as its form sends it. */
export interface PromptForm {
  /** The id of the prompt, made with the form, so that a form that is sent twice makes one prompt. */
  readonly id: string;
  readonly site: string;
  readonly question: string;
  readonly opensAt: string;
  readonly closesAt: string;
  /** Whether readers see it at once. */
  readonly activate: boolean;
}

export function readPromptForm(sent: FastifyRequest['body'] | FastifyRequest['query'], id: string): PromptForm {
  return {
    id: formField(sent, 'id') || id,
    site: formField(sent, 'site'),
    question: formField(sent, 'question', 5000).trim(),
    opensAt: formField(sent, 'opens_at').trim(),
    closesAt: formField(sent, 'closes_at').trim(),
    activate: formField(sent, 'activate') === 'yes',
  };
}

/** @throws KnowledgeError `validation_error` that names the field. */
export function toCreateRequest({ id, site, question, opensAt, closesAt, activate }: PromptForm): CreatePromptRequest {
  const wire = sites.toWire(site);
  if (wire === Site.UNSPECIFIED) throw new KnowledgeError('validation_error', 'Site: choose one.');
  return {
    ...{ id, site: wire, question, activate },
    opensAt: timeOf('Opens', opensAt),
    closesAt: timeOf('Closes', closesAt),
  };
}

function timeOf(label: string, text: string): Date | undefined {
  if (text === '') return undefined;
  const time = readTime(text);
  if (time !== undefined) return time;
  throw new KnowledgeError('validation_error', `${label}: give a time like 2026-06-01 09:00, or a date.`);
}

/** The question that a search without a good hit becomes. */
export function questionAbout(words: string): string {
  return `What have you learnt about “${words}” where you work, and what would you do differently?`;
}
