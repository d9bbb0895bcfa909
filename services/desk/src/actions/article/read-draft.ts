import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { ArticleDraft } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleDraftNotice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode } from '@knowledge/runtime/client';
import { requireField } from '../../present/require-field.js';
import type { Caller } from '../caller.js';
import type { ArticleDraftClient } from './draft-client.js';

/** A draft of the next revision, with the parts that every draft has. */
export interface NextRevision extends ArticleDraft {
  readonly entry: ArticleEntry;
  readonly notice: ArticleDraftNotice;
}

/** Reads the draft of an article that exists; undefined if it has none. */
export async function readDraft(
  drafts: ArticleDraftClient,
  caller: Caller,
  name: { readonly site: Site; readonly slug: string },
): Promise<NextRevision | undefined> {
  try {
    const { draft } = await drafts.getArticleDraft(name, caller.callContext());
    return toNextRevision(draft);
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined;
    throw error;
  }
}

export function toNextRevision(draft: ArticleDraft | undefined): NextRevision {
  const found = requireField(draft);
  return { ...found, entry: requireField(found.entry), notice: requireField(found.notice) };
}
