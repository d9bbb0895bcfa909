import { rules } from './rules.js';

/** What a token may do (gateway/PROTOCOL.md#tokens), in the order of every list. */
export const scopes = ['write:inquiry', 'write:story', 'write:prompt_reply'] as const;

export type Scope = (typeof scopes)[number];

/** What a grant allows, in words for the human who gives it; they follow "it can:". */
export function scopeWords(granted: readonly Scope[]): string[] {
  const reading = `read up to ${rules.readsPerDay.verifiedEmail} articles a day as you`;
  return granted.length === 0 ? [`${reading}, and nothing else`] : [...granted.map((scope) => words[scope]), reading];
}

/** What of it becomes public, and under which name; undefined if nothing does. */
export function publicWords(granted: readonly Scope[]): string | undefined {
  if (!granted.includes('write:story') && !granted.includes('write:prompt_reply')) return undefined;
  return `A moderator reads each public text first. It carries the name that the agent gives, never your e-mail address. At most ${rules.contributionsPerDay} texts a day.`;
}

const words: Readonly<Record<Scope, string>> = {
  'write:inquiry': 'ask our moderators private questions; you and this agent get the answers',
  'write:story': 'write public stories about your experience',
  'write:prompt_reply': 'answer the question that we ask the community, in public',
};
