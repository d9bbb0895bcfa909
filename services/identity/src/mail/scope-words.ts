import type { Scope } from '../domain/scope.js';

/** What a grant allows, in words for the human who gives it. */
export function inWords(scopes: readonly Scope[]): string[] {
  return [
    ...scopes.map((scope) => words[scope]),
    scopes.length === 0
      ? 'read up to 10 articles a day as you, and nothing else'
      : 'read up to 10 articles a day as you',
  ];
}

const words: Readonly<Record<Scope, string>> = {
  'write:inquiry': 'send inquiries to the editors, who answer you by e-mail',
  'write:story': 'hand in stories, which editors review before they are published',
  'write:prompt_reply': 'reply to the community prompt, reviewed in the same way',
};
