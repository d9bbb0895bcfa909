import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { CreatePromptRequest } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyRequest } from 'fastify';
import { sites } from '../../words.js';
import { type FormFaults, readFaults } from '../forms/form-values.js';
import { formField, timeOfField } from '../http/form-field.js';

/** More than a question may have, so that the service says what is too long and nothing typed is lost. */
export const mostOfQuestion = 20_000;

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
    question: formField(sent, 'question', mostOfQuestion).trim(),
    opensAt: formField(sent, 'opens_at').trim(),
    closesAt: formField(sent, 'closes_at').trim(),
    activate: formField(sent, 'activate') === 'yes',
  };
}

/** @throws KnowledgeError `validation_error` that names the field. */
export function toCreateRequest({ id, site, question, opensAt, closesAt, activate }: PromptForm): CreatePromptRequest {
  const wire = sites.toWire(site);
  if (wire === Site.UNSPECIFIED) throw new KnowledgeError('validation_error', 'site must be chosen.');
  return {
    id,
    site: wire,
    question,
    activate,
    opensAt: timeOfField('opens_at', opensAt),
    closesAt: timeOfField('closes_at', closesAt),
  };
}

/** The fields of the form, as the service names them. */
const fieldNames = ['site', 'question', 'opens_at', 'closes_at'] as const;

export type PromptField = (typeof fieldNames)[number];

/** Reads a refusal of the service, which names two fields in the faults of others. */
export function promptFaults({ code, message }: Pick<KnowledgeError, 'code' | 'message'>): FormFaults<PromptField> {
  const inWords = message.replace('later than opens_at', 'later than Opens').replace('with activate', 'to open it now');
  return readFaults({ code, message: inWords }, fieldNames);
}

/** The question that a search without a good hit becomes. */
export function questionAbout(words: string): string {
  return `What have you learnt about “${words}” where you work, and what would you do differently?`;
}
