import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { type Block, changedBlock, differenceOf, type Hunk } from '@knowledge/runtime/difference';
import { presentEntry } from '../article/article-fields.js';

/** An article at one revision. */
export interface ArticleText {
  readonly entry: ArticleEntry;
  readonly body: string;
}

/** Everything in which two revisions of an article differ. */
export interface ArticleDifference {
  readonly fields: readonly FieldDifference[];
  /** Whether the bodies differ, if only in their line ends. */
  readonly hasOtherBody: boolean;
  readonly hunks: readonly Hunk[];
}

/** A field other than the body, with its two values as `--json` shows them. */
export interface FieldDifference {
  readonly field: string;
  readonly from: FieldValue;
  readonly to: FieldValue;
  readonly block: Block;
}

type FieldValue = string | number | readonly string[] | null;

/** Compares two revisions of an article by everything that editors put. */
export function articleDifference(before: ArticleText, after: ArticleText): ArticleDifference {
  const [old, now] = [before, after].map(({ entry }) => putFields(entry));
  const fields = Object.entries(now ?? {}).flatMap(([field, to]) => {
    const from = old?.[field] ?? null;
    const [lines, otherLines] = [linesOf(from), linesOf(to)];
    if (lines.join('\n') === otherLines.join('\n')) return [];
    return [{ field, from, to, block: changedBlock(lines, otherLines) }];
  });
  return { fields, hasOtherBody: before.body !== after.body, hunks: differenceOf(before.body, after.body) };
}

/** Whether two revisions differ in nothing that editors put. */
export function isEqual({ fields, hasOtherBody }: ArticleDifference): boolean {
  return fields.length === 0 && !hasOtherBody;
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

function linesOf(value: FieldValue): string[] {
  if (value === null || value === '') return [];
  return typeof value === 'object' ? [value.join(', ')].filter((line) => line !== '') : String(value).split('\n');
}
