import { AuthorizationState, Decision, type Scope as WireScope } from '@knowledge/proto/knowledge/identity/v1/identity';
import { scopes as allScopes, type Scope } from '@knowledge/runtime/product';
import { enumWords, requireScope, toWireScope } from '@knowledge/runtime/wire';

export const { toWire: toWireState, optional: optionalState } = enumWords('state', AuthorizationState);
export const { require: requireDecision } = enumWords('decision', Decision);

/** Converts scopes, and keeps their order. */
export function toWireScopes(scopes: readonly Scope[]): WireScope[] {
  return scopes.map((scope) => toWireScope(scope));
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
