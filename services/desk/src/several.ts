import { KnowledgeError } from '@knowledge/runtime';
import { DeskError, PartialFailure, type Refusal } from './desk-error.js';
import type { Paint } from './print/paint.js';
import type { Session } from './session.js';

/** How what became of things is shown to people. */
export interface Shown<View> {
  text(view: View, paint: Paint): string;
  /** Between two of them; default a line break. */
  readonly between?: string;
}

/**
 * Does something with each thing that was named, one after the other, and shows what became of them: of one word a JSON
 * object, of several a JSON array. What the service refuses for one thing is no reason to leave out the others.
 *
 * @throws PartialFailure naming those that were refused, after the others are shown; the error itself where one was named.
 */
export async function withEach<View extends object>(
  session: Session,
  words: readonly string[],
  work: (word: string) => Promise<View>,
  { text, between = '\n' }: Shown<View>,
): Promise<void> {
  const [only] = words;
  if (words.length === 1 && only !== undefined) {
    session.print.thing(await work(only), text);
    return;
  }
  const views: View[] = [];
  const refusals: Refusal[] = [];
  for (const [at, word] of words.entries()) {
    try {
      views.push(await work(word));
    } catch (error) {
      refusals.push({ name: word, error });
      if (isOfOneThing(error)) continue;
      refusals.push(...words.slice(at + 1).map((name) => ({ name, error: new DeskError('cancelled', 'Not tried.') })));
      break;
    }
  }
  if (views.length > 0) session.print.thing(views, (all, paint) => all.map((each) => text(each, paint)).join(between));
  if (refusals.length > 0) throw new PartialFailure(refusals);
}

const ofOneThing: ReadonlySet<string> = new Set(['not_found', 'invalid_state', 'validation_error']);

function isOfOneThing(error: unknown): boolean {
  return error instanceof KnowledgeError && ofOneThing.has(error.code);
}
