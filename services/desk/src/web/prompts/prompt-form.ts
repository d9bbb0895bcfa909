import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { CreatePromptRequest } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { sites } from '../../words.js';
import { formField, timeOfField } from '../http/form-field.js';

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
    opensAt: timeOfField('Opens', opensAt),
    closesAt: timeOfField('Closes', closesAt),
  };
}

/** The question that a search without a good hit becomes. */
export function questionAbout(words: string): string {
  return `What have you learnt about “${words}” where you work, and what would you do differently?`;
}
