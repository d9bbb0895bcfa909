import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Transition } from '@knowledge/runtime';
import type { HandlerContext } from '@knowledge/runtime/grpc';
import { enumWords } from '@knowledge/runtime/wire';

export const { toWire: toWireOutcome } = enumWords('outcome', PutOutcome);

/** Logs a change with its actor. If nothing changed, it logs nothing. */
export function logChange(
  { log }: HandlerContext,
  subject: 'article' | 'article_draft' | 'object' | 'synonyms' | 'gloss',
  name: string,
  { outcome, transition }: { readonly outcome: string; readonly transition?: Transition },
): void {
  if (transition === undefined) return;
  const { actor, from, to, revision } = transition;
  log.info({ subject, name, outcome, actor, from, to, revision }, `${subject.replace('_', ' ')} changed`);
}
