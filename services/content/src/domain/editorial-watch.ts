import { KnowledgeError } from '@knowledge/runtime';
import type { Change } from './change.js';
import type { WatchDeps } from './change-watch.js';

/**
 * The changes after a cursor, from the stored log, for as long as the signal allows. A reader that stops for a while costs
 * nothing: what it has not seen stays in the log.
 */
export async function* readChanges(
  { feed, changes }: WatchDeps,
  cursor: number | undefined,
  signal: AbortSignal,
  begun?: (position: number) => void,
): AsyncGenerator<Change> {
  const head = await feed.sync();
  let position = cursor ?? head;
  if (position > head) throw invalidCursor();
  begun?.(position);
  let wake: () => void = () => undefined;
  let replaced = false;
  const reset = (): void => {
    replaced = true;
    wake();
  };
  const unsubscribe = feed.subscribe({ change: () => wake(), reset });
  const onAbort = (): void => wake();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    for (;;) {
      signal.throwIfAborted();
      if (replaced) throw new KnowledgeError('unavailable', 'The change log was replaced; begin again.');
      // The log may have been read further than the feed has heard of.
      if (feed.position <= position) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
        continue;
      }
      for (const change of await changes.after(position, batchSize, signal)) {
        yield change;
        position = change.position;
      }
    }
  } finally {
    unsubscribe();
    signal.removeEventListener('abort', onAbort);
  }
}

/**
 * The position that a cursor stands for; undefined for the empty one, which takes only what comes from now on.
 *
 * @throws KnowledgeError `validation_error` for anything that no stream of ours gave.
 */
export function readCursor(cursor: string): number | undefined {
  if (cursor === '') return undefined;
  if (!/^(?:0|[1-9]\d{0,15})$/.test(cursor) || !Number.isSafeInteger(Number(cursor))) throw invalidCursor();
  return Number(cursor);
}

const batchSize = 200;

function invalidCursor(): KnowledgeError {
  return new KnowledgeError('validation_error', 'after_cursor must be empty, 0 or the cursor of an event.');
}
