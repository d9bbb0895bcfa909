import { type PutArticleRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { enumWords } from '../words.js';

/** What became of an article, an object, or words for search that were put. */
export const putOutcomes = enumWords(PutOutcome);

/** The service's response for one file. */
export interface PutResult {
  readonly outcome: PutOutcome;
  /** A note for the author of the file. */
  readonly note?: string | undefined;
}

/** An article to put, and why its file is not public where it comes from; undefined if it is. */
export type ImportedArticle = PutArticleRequest & { readonly withheld: string | undefined };
