import { KnowledgeError } from '@knowledge/runtime/client';
import { DeskError, PartialFailure, type Refusal } from './desk-error.js';
import type { Paint } from './print/paint.js';
import type { Session } from './session.js';

/** The text form of the results. */
export interface ViewFormat<View> {
  text(view: View, paint: Paint): string;
  /** The text between two results; a line break by default. */
  readonly between?: string;
}

/**
 * Runs `work` for each name, one after the other, and prints the results. The JSON is an object for one name, and an
 * array for several. A refusal of one name does not stop the others.
 *
 * @throws PartialFailure with all refusals, after printing the other results; for a single name the error itself.
 */
export async function forEachNamed<View extends object>(
  session: Session,
  words: readonly string[],
  work: (word: string) => Promise<View>,
  { text, between = '\n' }: ViewFormat<View>,
): Promise<void> {
  const [only] = words;
  if (words.length === 1 && only !== undefined) {
    session.print.result(await work(only), text);
    return;
  }
  const views: View[] = [];
  const refusals: Refusal[] = [];
  for (const [at, word] of words.entries()) {
    try {
      views.push(await work(word));
    } catch (error) {
      refusals.push({ name: word, error });
      if (concernsOneThing(error)) continue;
      refusals.push(...words.slice(at + 1).map((name) => ({ name, error: new DeskError('cancelled', 'Not tried.') })));
      break;
    }
  }
  if (views.length > 0) session.print.result(views, (all, paint) => all.map((each) => text(each, paint)).join(between));
  if (refusals.length > 0) throw new PartialFailure(refusals);
}

const codesOfOneThing: ReadonlySet<string> = new Set(['not_found', 'invalid_state', 'validation_error']);

function concernsOneThing(error: unknown): boolean {
  return error instanceof KnowledgeError && codesOfOneThing.has(error.code);
}
