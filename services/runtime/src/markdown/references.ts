import type { StateCore, Token } from 'markdown-it';
import type { Reading } from './reading.js';
import { sourceTokens } from './source-tokens.js';

/** Shows the definitions of references that nothing uses as they were written. The others are seen where they are used. */
export function showUnusedReferences(state: StateCore): void {
  if (!state.tokens.some(isDefinition)) return;
  const used = new Set(labelsIn(state.tokens));
  const lines = state.src.split('\n');
  state.tokens = state.tokens.flatMap((token) => {
    if (!isDefinition(token) || token.map === null) return [token];
    const own = lines.slice(...token.map);
    // Only the first definition of a label counts.
    if (!used.delete(token.meta?.['label']))
      return sourceTokens(own, token.map[0]).map((each) => Object.assign(each, { level: token.level }));
    token.content = own.join('\n');
    (state.env as Reading).labels.set(token.meta?.['label'], token.content.replace(/^[^[]*\[|\]:.*/gs, ''));
    return [token];
  });
}

function isDefinition({ type }: Token): boolean {
  return type === 'reference_definition';
}

function* labelsIn(tokens: readonly Token[]): Generator<unknown> {
  for (const { type, meta, children } of tokens) {
    if (type === 'link_open' || type === 'image') yield meta?.['label'];
    if (children !== null) yield* labelsIn(children);
  }
}
