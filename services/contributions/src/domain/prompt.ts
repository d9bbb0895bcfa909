import type { Act, Site, Transition } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { requireFreshId } from './id.js';
import { lineFault, refuseFaults, textFault } from './text.js';

/** The states of a prompt (gateway/PROTOCOL.md#states). */
export type PromptState = 'scheduled' | 'active' | 'closed';

/** A community prompt. At most one is active on a site. */
export interface Prompt {
  id: string;
  site: Site;
  question: string;
  state: PromptState;
  /** When it is to open; once it opened, when it did. Null for one that waits to be opened by hand. */
  opensAt: Date | null;
  /** When it is to close; once it closed, when it did. Null for one without an end. */
  closesAt: Date | null;
  /** When readers first saw it; null if they never did. On one site no two prompts share it. */
  openedAt: Date | null;
  createdAt: Date;
  revision: number;
  history: Transition[];
}

/** What makes a prompt. */
export interface NewPrompt {
  id: string;
  site: Site;
  question: string;
  opensAt: Date | null;
  closesAt: Date | null;
  /** Whether it opens at once. */
  activate: boolean;
}

/** The bounds of a question. */
const questionBounds = { min: 10, max: 500 };

/**
 * A scheduled prompt; `openPrompt` opens one that is to be active at once.
 *
 * @throws KnowledgeError `validation_error` that names every field at fault.
 */
export function createPrompt({ activate, ...fields }: NewPrompt, { actor, at: now }: Act): Prompt {
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

/** Whether a prompt that exists under a caller's fresh id is the one that the caller makes again. */
export function isSamePrompt(existing: Prompt, fields: Pick<NewPrompt, 'site' | 'question'>): boolean {
  return existing.site === fields.site && existing.question === fields.question;
}

/**
 * Opens a prompt and closes the one that is active, in one step. Gives what changed; nothing if it is active already.
 *
 * @throws KnowledgeError `invalid_state` for a closed one.
 */
export function openPrompt(prompt: Prompt, active: Prompt | undefined, act: Act): Prompt[] {
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
 * Corrects the question of a prompt that nobody has seen yet. Gives what changed; nothing if it reads so already.
 *
 * @throws KnowledgeError `validation_error`, or `invalid_state` for one that opened or closed.
 */
export function correctPrompt(prompt: Prompt, question: string, act: Act): Prompt[] {
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

/** Closes a prompt. Gives what changed; nothing if it is closed already. */
export function closePrompt(prompt: Prompt, act: Act): Prompt[] {
  return prompt.state === 'closed' ? [] : [closed(prompt, act)];
}

/** When the clock next changes a prompt by itself; null if never. */
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

function closed(prompt: Prompt, act: Act): Prompt {
  // One that never opened will not: its plan goes.
  const opensAt = prompt.openedAt === null ? null : prompt.opensAt;
  return { ...move(prompt, 'closed', act), opensAt, closesAt: act.at };
}

function move(prompt: Prompt, to: PromptState, { actor, at, reason }: Act): Prompt {
  const revision = prompt.revision + 1;
  const transition: Transition = { from: prompt.state, to, actor, at, reason, revision };
  return { ...prompt, state: to, revision, history: [...prompt.history, transition] };
}
