import type { ScopeName } from '../../present/scope.js';

/** What a scope lets an agent do, as its human reads it after "It may …". */
export function scopeInWords(scope: ScopeName): string {
  switch (scope) {
    case 'write:inquiry':
      return 'send inquiries to the editors in your name';
    case 'write:story':
      return 'send stories for publication in your name';
    case 'write:prompt_reply':
      return 'send replies to community prompts in your name';
  }
}
