import type { ArticleName } from '../../domain/article.js';
import type { ArticleDraft, DraftEnd, DraftNotice } from '../domain/article-draft.js';
import type { ArticleDraftDocument, StoredDraft } from './documents.js';

/** The stored fields of a draft that listings read. */
export type NoticeDocument = Omit<ArticleDraftDocument, 'draft'> & { readonly draft?: Omit<StoredDraft, 'body'> };

export function toDraft({ site, slug, revision, draft, publishAt }: ArticleDraftDocument): ArticleDraft | undefined {
  if (draft === undefined) return undefined;
  const { publishedAt, scheduledBy: _, scheduleReason: __, ...facts } = draft;
  const schedule = scheduleOf(draft, publishAt);
  return { site, slug, ...facts, publishedAt: publishedAt ?? undefined, revision, schedule };
}

export function toNotice({ revision, draft, publishAt }: NoticeDocument): DraftNotice | undefined {
  if (draft === undefined) return undefined;
  const { baseRevision, authors, updatedAt } = draft;
  return { revision, baseRevision, authors, updatedAt, schedule: scheduleOf(draft, publishAt) };
}

function scheduleOf(
  { scheduledBy = '', scheduleReason = '' }: Pick<StoredDraft, 'scheduledBy' | 'scheduleReason'>,
  at: Date | undefined,
): DraftNotice['schedule'] {
  return at === undefined ? undefined : { at, actor: scheduledBy, reason: scheduleReason };
}

/** Puts the body last, so that MongoDB finds all other fields before it. */
export function fromDraft(_id: string, draft: ArticleDraft, lastEnd: DraftEnd | undefined): ArticleDraftDocument {
  const { site, slug, revision, schedule, body, ...facts } = draft;
  const scheduled = schedule && { scheduledBy: schedule.actor, scheduleReason: schedule.reason };
  return {
    ...{ _id, site, slug, revision },
    ...(schedule && { publishAt: schedule.at }),
    ...(lastEnd && { lastEnd: { ...lastEnd } }),
    draft: {
      ...facts,
      ...{ tags: [...facts.tags], authors: [...facts.authors], publishedAt: facts.publishedAt ?? null },
      ...scheduled,
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
