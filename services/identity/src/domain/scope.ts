/** What a token may do (gateway/PROTOCOL.md#tokens), in the order that every list of them has. */
export const scopes = ['write:inquiry', 'write:story', 'write:prompt_reply'] as const;

export type Scope = (typeof scopes)[number];

/** The scopes asked for, each once, in their order. */
export function orderScopes(asked: readonly Scope[]): Scope[] {
  return scopes.filter((scope) => asked.includes(scope));
}
