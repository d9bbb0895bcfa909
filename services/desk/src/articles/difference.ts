import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { changedField, differenceOfTexts, type FieldValue, type TextDifference } from '../base/difference.js';
import { presentEntry } from './present-article.js';

/** An article at one revision. */
export interface ArticleText {
  readonly entry: ArticleEntry;
  readonly body: string;
}

/** Compares two revisions of an article by everything that editors put. */
export function articleDifference(before: ArticleText, after: ArticleText): TextDifference {
  const old = putFields(before.entry);
  const fields = Object.entries(putFields(after.entry)).flatMap(([field, to]) =>
    changedField(field, old[field] ?? null, to),
  );
  return differenceOfTexts(fields, before.body, after.body);
}

function putFields(entry: ArticleEntry): Readonly<Record<string, FieldValue>> {
  const {
    slug: _,
    site: __,
    updated_at: ___,
    word_count: ____,
    reading_tokens,
    revision,
    ...fields
  } = presentEntry(entry);
  return fields;
}
