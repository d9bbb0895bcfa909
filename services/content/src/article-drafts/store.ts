import { type CallContext, sites, type Transition } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import type { Collection } from 'mongodb';
import { type ArticleCollections, articleId, toArticle } from '../articles/documents.js';
import type { Article, ArticleName } from '../articles/domain.js';
import type { ArticleWrites } from '../articles/store-writes.js';
import type { ChangeCompanion, Write, Writer } from '../changes/store.js';
import {
  type ArticleDraft,
  type DraftDecision,
  type DraftEnd,
  type DraftNotice,
  type DraftState,
  decideMissed,
} from './domain.js';
import { type ArticleDraftDocument, dueIndex, missedIndex, type StoredDraft } from './schema.js';

type Call = Pick<CallContext, 'signal'>;

/** A decision with the article after it. */
export interface DraftChange<Decision> {
  readonly decision: Decision;
  readonly article: Article | undefined;
}

export type ArticleDraftStore = ReturnType<typeof createArticleDraftStore>;

/** Stores the drafts of the next revisions of articles. */
export function createArticleDraftStore(
  writer: Writer,
  drafts: Collection<ArticleDraftDocument>,
  { articles }: ArticleCollections,
  { storeWithin }: Pick<ArticleWrites, 'storeWithin'>,
) {
  const read = async (name: ArticleName, scope: TransactionScope | { signal: AbortSignal }): Promise<DraftState> => {
    const _id = articleId(name);
    const found = await articles.findOne({ _id }, scope);
    const article = found === null ? undefined : toArticle(found);
    const slot = await drafts.findOne({ _id }, scope);
    if (slot === null) return { article, draft: undefined, revision: 0, lastEnd: undefined };
    return { article, draft: toDraft(slot), revision: slot.revision, lastEnd: slot.lastEnd };
  };

  const store = async ({ scope, append }: Write, state: DraftState, decision: DraftDecision, name: ArticleName) => {
    if (decision.outcome === 'unchanged' || decision.outcome === 'repeated') return;
    const { site, slug } = name;
    const { transition } = decision;
    await append({ subject: 'article_draft', site, key: slug, tags: [], transition }, {});
    const _id = articleId(name);
    // What is left of a draft that ended: no text, only its last revision and how it ended.
    const document: ArticleDraftDocument =
      decision.outcome === 'ended'
        ? { _id, site, slug, revision: transition.revision, lastEnd: endOf(transition) }
        : fromDraft(_id, decision.draft, state.lastEnd);
    await drafts.replaceOne({ _id }, document, { upsert: true, ...scope });
  };

  return {
    read: (name: ArticleName, signal: AbortSignal): Promise<DraftState> => read(name, { signal }),

    /** Returns the drafts of these articles for listings, without their texts. The keys are `site/slug`. */
    async notices(names: readonly ArticleName[], signal: AbortSignal): Promise<ReadonlyMap<string, DraftNotice>> {
      if (names.length === 0) return new Map();
      const filter = { _id: { $in: names.map(articleId) }, draft: { $exists: true } };
      const found = drafts.find<NoticeDocument>(filter, { projection: { 'draft.body': 0 }, signal });
      const notices = new Map<string, DraftNotice>();
      for (const each of await found.toArray()) {
        const notice = toNotice(each);
        if (notice !== undefined) notices.set(each._id, notice);
      }
      return notices;
    },

    /**
     * Calls the rule with the article and its draft, and stores the decision in one transaction. That is the draft, its
     * entry of the log and, if it is published, the change of the article. The rule may run more than once. If it returns
     * undefined, or with `validateOnly`, nothing is stored.
     */
    async change<Decision extends DraftDecision | undefined>(
      name: ArticleName,
      decide: (state: DraftState) => Decision,
      { signal }: Call,
      validateOnly = false,
    ): Promise<DraftChange<Decision>> {
      if (validateOnly) {
        const state = await read(name, { signal });
        return { decision: decide(state), article: state.article };
      }
      return writer.write(async (write) => {
        const state = await read(name, write.scope);
        const decision = decide(state);
        if (decision === undefined) return { decision, article: state.article };
        const published = decision.outcome === 'ended' ? decision.published : undefined;
        // The draft ends first, because a new revision of the article takes its time back.
        await store(write, state, decision, name);
        if (published !== undefined) await storeWithin(write, published);
        return { decision, article: published?.article ?? state.article };
      }, signal);
    },

    /** Names articles whose draft lost its time, at most 200. */
    async missed(signal: AbortSignal) {
      const filter = { site: { $in: [...sites] }, missedAt: { $exists: true } };
      const options = { projection: { _id: 0, site: 1, slug: 1 }, hint: missedIndex, limit: 200, signal } as const;
      return drafts.find<ArticleName>(filter, options).toArray();
    },

    /** Lists articles whose scheduled draft is due, at most `limit`. */
    async due(now: Date, limit: number, signal: AbortSignal) {
      const filter = { site: { $in: [...sites] }, publishAt: { $lte: now } };
      const options = { projection: { _id: 0, site: 1, slug: 1 }, hint: dueIndex, limit, signal } as const;
      return drafts.find<ArticleName>(filter, options).toArray();
    },

    /** The earliest time at which a draft is due; undefined if none is scheduled. */
    async nextDue(signal: AbortSignal) {
      const filter = { site: { $in: [...sites] }, publishAt: { $exists: true } };
      const options = { projection: { publishAt: 1 }, sort: { publishAt: 1 }, hint: dueIndex, signal } as const;
      return (await drafts.findOne(filter, options))?.publishAt;
    },
  };
}

/**
 * Makes the companion that works in the transaction of a change of an article. The draft of a deleted article is deleted; the one
 * that a new revision came before loses its time.
 */
export function followArticles(drafts: Collection<ArticleDraftDocument>): ChangeCompanion {
  return async ({ subject, site, key: slug, transition }, { scope, append }) => {
    if (subject !== 'article') return;
    const _id = articleId({ site, slug });
    if (transition.to === 'deleted') await drafts.deleteOne({ _id }, scope);
    const slot = await drafts.findOne({ _id, publishAt: { $exists: true } }, scope);
    const draft = slot === null ? undefined : toDraft(slot);
    const { actor, at, revision } = transition;
    // A gloss changes no revision.
    if (draft === undefined || draft.baseRevision === revision) return;
    const missed = decideMissed(draft, {
      actor,
      at,
      reason: `${actor} changed the article first (revision ${revision}).`,
    });
    await append({ subject: 'article_draft', site, key: slug, tags: [], transition: missed.transition }, {});
    await drafts.replaceOne({ _id }, fromDraft(_id, missed.draft, slot?.lastEnd), scope);
  };
}

function endOf({ to, actor, requestId = '' }: Transition): DraftEnd {
  return { to: to === 'published' ? to : 'discarded', actor, requestId };
}

/** The stored fields of a draft that listings read. */
type NoticeDocument = Omit<ArticleDraftDocument, 'draft'> & { readonly draft?: Omit<StoredDraft, 'body'> };

function toDraft({ site, slug, revision, draft, ...times }: ArticleDraftDocument): ArticleDraft | undefined {
  if (draft === undefined) return undefined;
  const { publishedAt, scheduledBy: _, scheduleReason: __, missedReason: ___, ...facts } = draft;
  return { site, slug, ...facts, publishedAt: publishedAt ?? undefined, revision, ...timesOf(draft, times) };
}

function toNotice({ revision, draft, ...times }: NoticeDocument): DraftNotice | undefined {
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
function fromDraft(_id: string, draft: ArticleDraft, lastEnd: DraftEnd | undefined): ArticleDraftDocument {
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
