import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { changedField, differenceOfTexts, type FieldValue, type TextDifference } from '../base/difference.js';
import { presentPutFields } from './present-article.js';

/** An article at one revision. */
export interface ArticleText {
  readonly entry: ArticleEntry;
  readonly body: string;
}

/** Compares two revisions of an article by everything that editors put. */
export function articleDifference(before: ArticleText, after: ArticleText): TextDifference {
  const old: Readonly<Record<string, FieldValue>> = presentPutFields(before.entry);
  const fields = Object.entries(presentPutFields(after.entry)).flatMap(([field, to]) =>
    changedField(field, old[field] ?? null, to),
  );
  return differenceOfTexts(fields, before.body, after.body);
}
