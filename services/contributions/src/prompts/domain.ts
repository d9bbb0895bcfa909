import {
  type Attribution,
  KnowledgeError,
  lineFault,
  refuseFaults,
  type Site,
  type Transition,
  textFault,
} from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import { requireFreshId } from '../base/text.js';

/** The states of a prompt, as gateway/PROTOCOL.md#states describes them. */
export type PromptState = 'scheduled' | 'active' | 'closed';

/** A community prompt. A site has at most one active prompt. */
export interface Prompt {
  id: string;
  site: Site;
  question: string;
  state: PromptState;
  /** The planned time of opening, and later the real one. Null if the prompt is opened manually. */
  opensAt: Date | null;
  /** The planned time of closing, and later the real one. Null if no closing is planned. */
  closesAt: Date | null;
  /** The time when readers first saw the prompt; null if they never did. It is different for all prompts of a site. */
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

/**
 * Makes a scheduled prompt. If it must be active at once, the caller then uses `openPrompt`.
 *
 * @throws KnowledgeError `validation_error` that lists every invalid field.
 */
export function createPrompt({ activate, ...fields }: NewPrompt, { actor, at: now }: Attribution): Prompt {
  requireFreshId(fields.id);
  const { question, opensAt, closesAt } = fields;
  refuseFaults([
    lineFault('question', question, bounds.question),
    activate && opensAt !== null && opensAt > now ? 'opens_at must not be later than now with activate' : undefined,
    !activate && opensAt !== null && opensAt <= now ? 'opens_at must be later than now without activate' : undefined,
    closesAt !== null && closesAt <= now ? 'closes_at must be later than now' : undefined,
    closesAt !== null && opensAt !== null && closesAt <= opensAt ? 'closes_at must be later than opens_at' : undefined,
  ]);
  const made: Transition = { from: '', to: 'scheduled', actor, at: now, reason: '', revision: 1 };
  return { ...fields, state: 'scheduled', openedAt: null, createdAt: now, revision: 1, history: [made] };
}

/** Whether a repeated call with the id of this prompt would create the same prompt. */
export function isSamePrompt(existing: Prompt, fields: Pick<NewPrompt, 'site' | 'question'>): boolean {
  return existing.site === fields.site && existing.question === fields.question;
}

/**
 * Opens a prompt and closes the active one. Returns the changed prompts, or none if the prompt is already active.
 *
 * @throws KnowledgeError `invalid_state` for a closed prompt.
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
 * Corrects the question of a prompt that readers have not seen. Returns the changed prompt, or none if the question is
 * the same.
 *
 * @throws KnowledgeError `validation_error`, or `invalid_state` if the prompt has opened or closed.
 */
export function correctPrompt(prompt: Prompt, question: string, act: Attribution): Prompt[] {
  refuseFaults([lineFault('question', question, bounds.question), textFault('reason', act.reason, bounds.reason)]);
  if (prompt.question === question) return [];
  if (prompt.state !== 'scheduled') {
    const message = `The prompt is ${prompt.state}: readers have seen its question. Only that of a scheduled one can be corrected.`;
    throw new KnowledgeError('invalid_state', message);
  }
  return [{ ...move(prompt, 'scheduled', act), question }];
}

/** Closes a prompt. Returns the changed prompt, or none if it is already closed. */
export function closePrompt(prompt: Prompt, act: Attribution): Prompt[] {
  return prompt.state === 'closed' ? [] : [closed(prompt, act)];
}

/** The next time when the schedule changes a prompt; null for never. */
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
  // A prompt that never opened loses its planned opening when it closes.
  const opensAt = prompt.openedAt === null ? null : prompt.opensAt;
  return { ...move(prompt, 'closed', act), opensAt, closesAt: act.at };
}

function move(prompt: Prompt, to: PromptState, { actor, at, reason }: Attribution): Prompt {
  const revision = prompt.revision + 1;
  const transition: Transition = { from: prompt.state, to, actor, at, reason, revision };
  return { ...prompt, state: to, revision, history: [...prompt.history, transition] };
}

/**
 * Opens and closes the prompts of a site that are due by `now`, in the order of their planned times. It stores the
 * planned time even if it runs late. Returns the changed prompts.
 */
export function advanceSchedule(open: readonly Prompt[], now: Date): Prompt[] {
  const current = new Map(open.map((prompt) => [prompt.id, prompt]));
  const changed = new Set<string>();
  for (let due = nextDue(current, now); due !== undefined; due = nextDue(current, now)) {
    for (const prompt of applyDue(due.prompt, due.at, current)) {
      current.set(prompt.id, prompt);
      changed.add(prompt.id);
    }
  }
  return [...changed].map((id) => current.get(id)).filter((prompt) => prompt !== undefined);
}

function applyDue(prompt: Prompt, at: Date, current: ReadonlyMap<string, Prompt>) {
  const act = { actor: clockActor, at, reason: '' };
  const opens = prompt.state === 'scheduled' && prompt.opensAt !== null;
  return opens ? openPrompt(prompt, activeOf(current), act) : closePrompt(prompt, act);
}

function activeOf(current: ReadonlyMap<string, Prompt>) {
  return [...current.values()].find((prompt) => prompt.state === 'active');
}

function nextDue(current: ReadonlyMap<string, Prompt>, now: Date) {
  let next: { prompt: Prompt; at: Date } | undefined;
  for (const prompt of current.values()) {
    const at = dueAt(prompt);
    if (at === null || at > now) continue;
    if (next === undefined || comesBefore(prompt, at, next)) next = { prompt, at };
  }
  return next;
}

// At equal times, prompts close before others open, and older prompts come first.
function comesBefore(prompt: Prompt, at: Date, next: { prompt: Prompt; at: Date }) {
  const byTime = at.getTime() - next.at.getTime();
  if (byTime !== 0) return byTime < 0;
  if (prompt.state !== next.prompt.state) return prompt.state === 'active';
  const byAge = prompt.createdAt.getTime() - next.prompt.createdAt.getTime();
  return byAge === 0 ? prompt.id < next.prompt.id : byAge < 0;
}

/** The actor of changes that the schedule makes. */
const clockActor = 'contributions/clock';
