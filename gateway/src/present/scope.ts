import { Scope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';

/** A scope as the API names it (gateway/PROTOCOL.md#tokens). */
export type ScopeName = 'write:inquiry' | 'write:story' | 'write:prompt_reply';

/** The scope as the API names it. */
export function presentScope(scope: Scope): ScopeName {
  switch (scope) {
    case Scope.WRITE_INQUIRY:
      return 'write:inquiry';
    case Scope.WRITE_STORY:
      return 'write:story';
    case Scope.WRITE_PROMPT_REPLY:
      return 'write:prompt_reply';
    case Scope.UNSPECIFIED:
    case Scope.UNRECOGNIZED:
      throw new KnowledgeError('internal_error', 'A service answered with an unknown scope.');
  }
}

/** The scope as the services name it. */
export function toWireScope(scope: ScopeName): Scope {
  switch (scope) {
    case 'write:inquiry':
      return Scope.WRITE_INQUIRY;
    case 'write:story':
      return Scope.WRITE_STORY;
    case 'write:prompt_reply':
      return Scope.WRITE_PROMPT_REPLY;
  }
}
