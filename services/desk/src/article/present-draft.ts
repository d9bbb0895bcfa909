import type { ArticleDraft } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { ArticleDraftNotice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { requireField } from '../present/require-field.js';
import { readableTime, timestamp } from '../print/time.js';
import { presentEntry } from './article-fields.js';

/** The draft of the next revision of an article, with its text. */
export type DraftView = ReturnType<typeof presentDraft>;

export type NoticeView = ReturnType<typeof presentNotice>;

export function presentDraft({ entry, body, notice, createdAt, articleRevision }: ArticleDraft) {
  const { revision: _, updated_at: __, ...facts } = presentEntry(requireField(entry));
  const draft = presentNotice(requireField(notice));
  return {
    ...facts,
    article_revision: articleRevision,
    is_outdated: draft.base_revision !== articleRevision,
    draft: { ...draft, created_at: timestamp(createdAt) },
    body,
    body_format: 'markdown' as const,
  };
}

/** Converts what listings of articles say about a draft. */
export function presentNotice({ revision, baseRevision, authors, ...notice }: ArticleDraftNotice) {
  return {
    revision,
    base_revision: baseRevision,
    authors,
    updated_at: timestamp(notice.updatedAt),
    publish_at: timestamp(notice.publishAt),
    scheduled_by: notice.scheduledBy || null,
    missed_at: timestamp(notice.missedAt),
    missed_reason: notice.missedReason || null,
  };
}

/** Says in a few words whether an article has a next revision, and when that appears or was to appear. */
export function noticeWords(notice: NoticeView | null): string {
  if (notice === null) return '';
  if (notice.missed_at !== null) return `missed ${readableTime(notice.missed_at)}`;
  return notice.publish_at === null ? 'draft' : readableTime(notice.publish_at);
}
