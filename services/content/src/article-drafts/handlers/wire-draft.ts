import type { ArticleDraft as WireDraft } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { ArticleDraftNotice } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Article } from '../../domain/article.js';
import { toWireEntry } from '../../handlers/wire-article.js';
import type { ArticleDraft, DraftNotice } from '../domain/article-draft.js';

/** Converts a draft without its body, for responses to changes. */
export function toWireDraft(draft: ArticleDraft, { revision }: Pick<Article, 'revision'>): WireDraft {
  return {
    entry: toWireEntry({ ...draft, revision: draft.baseRevision }),
    body: '',
    notice: toWireNotice(draft),
    createdAt: draft.createdAt,
    articleRevision: revision,
  };
}

export function toWireWholeDraft(draft: ArticleDraft, article: Pick<Article, 'revision'>): WireDraft {
  return { ...toWireDraft(draft, article), body: draft.body };
}

/** Converts what listings say about a draft. */
export function toWireNotice({
  revision,
  baseRevision,
  authors,
  updatedAt,
  schedule,
  missed,
}: DraftNotice): ArticleDraftNotice {
  return {
    revision,
    baseRevision,
    authors: [...authors],
    updatedAt,
    publishAt: schedule?.at,
    scheduledBy: schedule?.actor ?? '',
    missedAt: missed?.at,
    missedReason: missed?.reason ?? '',
  };
}
