import { AuthorizationState, Decision, Scope as WireScope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { KnowledgeError } from '@knowledge/runtime';
import { scopes as allScopes, type Scope } from '@knowledge/runtime/product';
import { enumWords } from '@knowledge/runtime/wire';

export const { toWire: toWireState, optional: optionalState } = enumWords('state', AuthorizationState);
export const { require: requireDecision } = enumWords('decision', Decision);

const wireScopes: Readonly<Record<Scope, WireScope>> = {
  'write:inquiry': WireScope.WRITE_INQUIRY,
  'write:story': WireScope.WRITE_STORY,
  'write:prompt_reply': WireScope.WRITE_PROMPT_REPLY,
};

/** Converts scopes, and keeps their order. */
export function toWireScopes(scopes: readonly Scope[]): WireScope[] {
  return scopes.map((scope) => wireScopes[scope]);
}

/**
 * Reads scopes. Removes duplicates and sorts them in the order of the product's list.
 *
 * @throws KnowledgeError `validation_error` for an unknown scope.
 */
export function requireScopes(scopes: readonly WireScope[]): Scope[] {
  const named = scopes.map(requireScope);
  return allScopes.filter((scope) => named.includes(scope));
}

function requireScope(wire: WireScope): Scope {
  const scope = (Object.keys(wireScopes) as Scope[]).find((each) => wireScopes[each] === wire);
  if (scope === undefined) throw new KnowledgeError('validation_error', 'scopes has an unknown scope.');
  return scope;
}
