import { type PutArticleRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { enumWords } from '../base/words.js';

/** What became of an article, an object, or words for search that were put. */
export const putOutcomes = enumWords(PutOutcome);

/** The service's response for one file. */
export interface PutResult {
  readonly outcome: PutOutcome;
  /** Notes for the author of the file. */
  readonly notes?: readonly string[] | undefined;
}

/** An article to put, with what its file says about it. */
export interface ImportedArticle extends PutArticleRequest {
  /** Why the file is not public where it comes from; undefined if it is. */
  readonly withheld: string | undefined;
  /** What the slug was made from, in words: a path, or the name of the file. Undefined if the file has it as it is. */
  readonly slugFrom: string | undefined;
}

/** Runs `work` for the items in their order, for at most `concurrency` items at a time. Stops at the first failure. */
export async function inParallel<Item>(
  items: readonly Item[],
  concurrency: number,
  work: (item: Item) => Promise<void>,
): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(concurrency, items.length) }, worker));
}

/** Counts the files with each note, by its words before the first colon. The most frequent come first. */
export function countNotes(files: readonly (readonly string[])[]): [note: string, files: number][] {
  const counts = new Map<string, number>();
  for (const notes of files) {
    for (const kind of new Set(notes.map((note) => note.split(': ', 1)[0] ?? ''))) {
      counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
  }
  return [...counts].sort(([, a], [, b]) => b - a);
}
