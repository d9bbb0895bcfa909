import { closePrompt, dueAt, openPrompt, type Prompt } from './prompt.js';
import { clockActor } from './transition.js';

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

function applyDue(prompt: Prompt, at: Date, current: ReadonlyMap<string, Prompt>): Prompt[] {
  const act = { actor: clockActor, at, reason: '' };
  const opens = prompt.state === 'scheduled' && prompt.opensAt !== null;
  return opens ? openPrompt(prompt, activeOf(current), act) : closePrompt(prompt, act);
}

function activeOf(current: ReadonlyMap<string, Prompt>): Prompt | undefined {
  return [...current.values()].find((prompt) => prompt.state === 'active');
}

function nextDue(current: ReadonlyMap<string, Prompt>, now: Date): { prompt: Prompt; at: Date } | undefined {
  let next: { prompt: Prompt; at: Date } | undefined;
  for (const prompt of current.values()) {
    const at = dueAt(prompt);
    if (at === null || at > now) continue;
    if (next === undefined || comesBefore(prompt, at, next)) next = { prompt, at };
  }
  return next;
}

// At equal times, prompts close before others open, and older prompts come first.
function comesBefore(prompt: Prompt, at: Date, next: { prompt: Prompt; at: Date }): boolean {
  const byTime = at.getTime() - next.at.getTime();
  if (byTime !== 0) return byTime < 0;
  if (prompt.state !== next.prompt.state) return prompt.state === 'active';
  const byAge = prompt.createdAt.getTime() - next.prompt.createdAt.getTime();
  return byAge === 0 ? prompt.id < next.prompt.id : byAge < 0;
}
