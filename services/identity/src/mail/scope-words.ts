import type { Scope } from '../domain/scope.js';

/** What a grant allows, in words for the human who gives it. */
export function inWords(scopes: readonly Scope[]): string[] {
  const reading = 'read up to 10 articles a day as you';
  return scopes.length === 0 ? [`${reading}, and nothing else`] : [...scopes.map((scope) => words[scope]), reading];
}

/** What becomes public of it, under which name; undefined if nothing does. */
export function publicWords(scopes: readonly Scope[]): string | undefined {
  if (!scopes.includes('write:story') && !scopes.includes('write:prompt_reply')) return undefined;
  return 'A moderator reads each public text first. It carries the name that the agent gives, never your e-mail address. At most 20 texts a day.';
}

const words: Readonly<Record<Scope, string>> = {
  'write:inquiry': 'ask our moderators private questions; you and this agent get the answers',
  'write:story': 'write public stories about your experience',
  'write:prompt_reply': 'answer the question that we ask the community, in public',
};
