import type { ScopeName } from '../../present/scope.js';

/** What a grant allows, in words that follow "it can". The mails use the same. */
export function inWords(scopes: readonly ScopeName[]): string[] {
  const reading = 'read up to 10 articles a day as you';
  return scopes.length === 0 ? [`${reading}, and nothing else`] : [...scopes.map(scopeInWords), reading];
}

/** What becomes public, and under which name; undefined if nothing does. */
export function publicWords(scopes: readonly ScopeName[]): string | undefined {
  if (!scopes.includes('write:story') && !scopes.includes('write:prompt_reply')) return undefined;
  return 'A moderator reads each public text first. It carries the name that the agent gives, never your e-mail address. At most 20 texts a day.';
}

function scopeInWords(scope: ScopeName): string {
  switch (scope) {
    case 'write:inquiry':
      return 'ask our moderators private questions; you and this agent get the answers';
    case 'write:story':
      return 'write public stories about your experience';
    case 'write:prompt_reply':
      return 'answer the question that we ask the community, in public';
  }
}
