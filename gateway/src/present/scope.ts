import { Scope as WireScope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import type { Scope } from '@knowledge/runtime/product';

export function fromWireScope(wire: WireScope): Scope {
  switch (wire) {
    case WireScope.WRITE_INQUIRY:
      return 'write:inquiry';
    case WireScope.WRITE_STORY:
      return 'write:story';
    case WireScope.WRITE_PROMPT_REPLY:
      return 'write:prompt_reply';
    case WireScope.UNSPECIFIED:
    case WireScope.UNRECOGNIZED:
      throw new KnowledgeError('internal_error', 'A service answered with an unknown scope.');
  }
}

export function toWireScope(scope: Scope): WireScope {
  return wireScopes[scope];
}

const wireScopes: Readonly<Record<Scope, WireScope>> = {
  'write:inquiry': WireScope.WRITE_INQUIRY,
  'write:story': WireScope.WRITE_STORY,
  'write:prompt_reply': WireScope.WRITE_PROMPT_REPLY,
};
