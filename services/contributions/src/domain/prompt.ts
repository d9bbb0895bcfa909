import type { Attribution, Site, Transition } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { requireFreshId } from './id.js';
import { lineFault, refuseFaults, textFault } from './text.js';

/** The states are described in gateway/PROTOCOL.md#states. */
export type PromptState = 'scheduled' | 'active' | 'closed';

/** A community prompt. A site has at most one active prompt. */
export interface Prompt {
  id: string;
  site: Site;
  question: string;
  state: PromptState;
  /** The planned opening, and after it the real one. Null if it is opened by hand. */
  opensAt: Date | null;
  /** The planned closing, and after it the real one. Null if no end is planned. */
  closesAt: Date | null;
  /** The time when readers first saw it; null if they never did. No two prompts of a site share it. */
  openedAt: Date | null;
  createdAt: Date;
  revision: number;
  history: Transition[];
}

export interface NewPrompt {
  id: string;
  site: Site;
  question: string;
  opensAt: Date | null;
  closesAt: Date | null;
  activate: boolean;
}

/** The length of a question in characters. */
const questionBounds = { min: 10, max: 500 };

/**
 * Makes a scheduled prompt. `openPrompt` then opens it if it is to be active at once.
 *
 * @throws KnowledgeError `validation_error` that names every field at fault.
 */
export function createPrompt({ activate, ...fields }: NewPrompt, { actor, at: now }: Attribution): Prompt {
  requireFreshId(fields.id);
  const { question, opensAt, closesAt } = fields;
  refuseFaults([
    lineFault('question', question, questionBounds),
    activate && opensAt !== null && opensAt > now ? 'opens_at must not be later than now with activate' : undefined,
    closesAt !== null && closesAt <= now ? 'closes_at must be later than now' : undefined,
    closesAt !== null && opensAt !== null && closesAt <= opensAt ? 'closes_at must be later than opens_at' : undefined,
  ]);
  const made: Transition = { from: '', to: 'scheduled', actor, at: now, reason: '', revision: 1 };
  return { ...fields, state: 'scheduled', openedAt: null, createdAt: now, revision: 1, history: [made] };
}

/** Whether a call that repeats a prompt's id would make the same prompt. */
export function isSamePrompt(existing: Prompt, fields: Pick<NewPrompt, 'site' | 'question'>): boolean {
  return existing.site === fields.site && existing.question === fields.question;
}

/**
 * Opens a prompt and closes the active one in one step. Gives the changed prompts; none if it is active already.
 *
 * @throws KnowledgeError `invalid_state` for a closed one.
 */
export function openPrompt(prompt: Prompt, active: Prompt | undefined, act: Attribution): Prompt[] {
  if (prompt.state === 'active') return [];
  if (prompt.state === 'closed') {
    throw new KnowledgeError('invalid_state', 'The prompt is closed; a closed prompt cannot be opened again.');
  }
  const lastOpening = active?.openedAt?.getTime() ?? 0;
  const openedAt = new Date(Math.max(act.at.getTime(), lastOpening + 1));
  const opened = { ...move(prompt, 'active', act), opensAt: openedAt, openedAt };
  return active === undefined ? [opened] : [closed(active, act), opened];
}

/**
 * Corrects the question of a prompt that readers have not seen. Gives the changed prompts; none if the question is the
 * same.
 *
 * @throws KnowledgeError `validation_error`, or `invalid_state` for one that opened or closed.
 */
export function correctPrompt(prompt: Prompt, question: string, act: Attribution): Prompt[] {
  refuseFaults([
    lineFault('question', question, questionBounds),
    textFault('reason', act.reason, { min: 0, max: 2000 }),
  ]);
  if (prompt.question === question) return [];
  if (prompt.state !== 'scheduled') {
    const message = `The prompt is ${prompt.state}: readers have seen its question. Only that of a scheduled one can be corrected.`;
    throw new KnowledgeError('invalid_state', message);
  }
  return [{ ...move(prompt, 'scheduled', act), question }];
}

/** Closes a prompt. Gives the changed prompts; none if it is closed already. */
export function closePrompt(prompt: Prompt, act: Attribution): Prompt[] {
  return prompt.state === 'closed' ? [] : [closed(prompt, act)];
}

/** The next time at which the clock changes a prompt; null for never. */
export function dueAt(prompt: Prompt): Date | null {
  switch (prompt.state) {
    case 'scheduled':
      return prompt.opensAt ?? prompt.closesAt;
    case 'active':
      return prompt.closesAt;
    case 'closed':
      return null;
  }
}

function closed(prompt: Prompt, act: Attribution): Prompt {
  // A prompt that is closed before it opened loses its planned opening.
  const opensAt = prompt.openedAt === null ? null : prompt.opensAt;
  return { ...move(prompt, 'closed', act), opensAt, closesAt: act.at };
}

function move(prompt: Prompt, to: PromptState, { actor, at, reason }: Attribution): Prompt {
  const revision = prompt.revision + 1;
  const transition: Transition = { from: prompt.state, to, actor, at, reason, revision };
  return { ...prompt, state: to, revision, history: [...prompt.history, transition] };
}
