import { rules } from './rules.js';

/** The permissions of a token (gateway/PROTOCOL.md#tokens). Every list shows them in this order. */
export const scopes = ['write:inquiry', 'write:story', 'write:prompt_reply'] as const;

export type Scope = (typeof scopes)[number];

/** Describes the permissions of a grant for the human who gives it. The page shows them after "it can:". */
export function scopeWords(granted: readonly Scope[]): string[] {
  const reading = `read up to ${rules.readsPerDay.verifiedEmail} articles a day as you`;
  return granted.length === 0 ? [`${reading}, and nothing else`] : [...granted.map((scope) => words[scope]), reading];
}

/** Describes what becomes public under a grant, and under which name. Undefined if nothing becomes public. */
export function publicWords(granted: readonly Scope[]): string | undefined {
  if (!granted.includes('write:story') && !granted.includes('write:prompt_reply')) return undefined;
  return 'A moderator reads each public text first. It carries the name that the agent gives; we never add your e-mail address.';
}

/** The limits of a day, which all agents of a human share. */
export const sharedLimits = `All agents of your mailbox together read at most ${rules.readsPerDay.verifiedEmail} articles and send at most ${rules.contributionsPerDay} texts a day.`;

const words: Readonly<Record<Scope, string>> = {
  'write:inquiry': 'ask our moderators private questions; you and this agent get the answers',
  'write:story': 'write public stories about your experience',
  'write:prompt_reply': 'answer the question that we ask the community, in public',
};
