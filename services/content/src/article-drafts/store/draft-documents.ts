import type { ArticleName } from '../../domain/article.js';
import type { ArticleDraft, DraftEnd, DraftNotice } from '../domain/article-draft.js';
import type { ArticleDraftDocument, StoredDraft } from './documents.js';

/** The stored fields of a draft that listings read. */
export type NoticeDocument = Omit<ArticleDraftDocument, 'draft'> & { readonly draft?: Omit<StoredDraft, 'body'> };

export function toDraft({ site, slug, revision, draft, ...times }: ArticleDraftDocument): ArticleDraft | undefined {
  if (draft === undefined) return undefined;
  const { publishedAt, scheduledBy: _, scheduleReason: __, missedReason: ___, ...facts } = draft;
  return { site, slug, ...facts, publishedAt: publishedAt ?? undefined, revision, ...timesOf(draft, times) };
}

export function toNotice({ revision, draft, ...times }: NoticeDocument): DraftNotice | undefined {
  if (draft === undefined) return undefined;
  const { baseRevision, authors, updatedAt } = draft;
  return { revision, baseRevision, authors, updatedAt, ...timesOf(draft, times) };
}

/** The time of a scheduled draft, or the one that it lost. */
function timesOf(
  { scheduledBy = '', scheduleReason = '', missedReason = '' }: Partial<StoredDraft>,
  { publishAt, missedAt }: Pick<ArticleDraftDocument, 'publishAt' | 'missedAt'>,
): Pick<DraftNotice, 'schedule' | 'missed'> {
  return {
    schedule: publishAt && { at: publishAt, actor: scheduledBy, reason: scheduleReason },
    missed: missedAt && { at: missedAt, reason: missedReason },
  };
}

/** Puts the body last, so that MongoDB finds all other fields before it. */
export function fromDraft(_id: string, draft: ArticleDraft, lastEnd: DraftEnd | undefined): ArticleDraftDocument {
  const { site, slug, revision, schedule, missed, body, ...facts } = draft;
  const scheduled = schedule && { scheduledBy: schedule.actor, scheduleReason: schedule.reason };
  return {
    _id,
    site,
    slug,
    revision,
    ...(schedule && { publishAt: schedule.at }),
    ...(missed && { missedAt: missed.at }),
    ...(lastEnd && { lastEnd: { ...lastEnd } }),
    draft: {
      ...facts,
      tags: [...facts.tags],
      authors: [...facts.authors],
      publishedAt: facts.publishedAt ?? null,
      ...scheduled,
      ...(missed && { missedReason: missed.reason }),
      body,
    },
  };
}

/** Makes what is left of a draft that ended: no text, only its last revision and how it ended. */
export function fromEnd(
  _id: string,
  { site, slug }: ArticleName,
  revision: number,
  lastEnd: DraftEnd,
): ArticleDraftDocument {
  return { _id, site, slug, revision, lastEnd: { ...lastEnd } };
}
