import type { ScopeName } from '../../present/scope.js';

/** What a grant allows, as its human reads it after "It may:"; the mails say the same. */
export function inWords(scopes: readonly ScopeName[]): string[] {
  const reading = 'read up to 10 articles a day as you';
  return scopes.length === 0 ? [`${reading}, and nothing else`] : [...scopes.map(scopeInWords), reading];
}

function scopeInWords(scope: ScopeName): string {
  switch (scope) {
    case 'write:inquiry':
      return 'send inquiries to the editors, who answer you by e-mail';
    case 'write:story':
      return 'hand in stories, which editors review before they are published';
    case 'write:prompt_reply':
      return 'reply to the community prompt, reviewed in the same way';
  }
}
