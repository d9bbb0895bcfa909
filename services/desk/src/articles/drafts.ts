import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type {
  ArticleDraft,
  PutArticleDraftRequest,
  PutArticleDraftResponse,
} from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import {
  type ArticleDraftNotice,
  type ArticleRecord,
  PutOutcome,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError, unlessNotFound } from '@knowledge/runtime/client';
import { UsageError } from '../base/desk-error.js';
import type { ArticleDraftCalls, EditorialCalls } from '../base/services.js';
import { readableTime, timestamp } from '../base/time.js';
import { requireField, sites } from '../base/words.js';
import { type ContributionView, presentContribution } from '../contributions/contribution.js';
import type { ModerationCalls } from '../contributions/decisions.js';

/**
 * Finds an article by its slug: on the given site, or on the only site that has the slug.
 *
 * @throws UsageError if both sites have it; KnowledgeError `not_found` if none has.
 */
export async function findArticle(
  editorial: EditorialCalls,
  slug: string,
  site: string | undefined,
): Promise<ArticleRecord> {
  const wanted = site === undefined ? [Site.IO, Site.ORG] : [sites.toWire(site)];
  const read = (each: Site) => editorial.getArticleRecord({ site: each, slug }).catch(unlessNotFound);
  const found = (await Promise.all(wanted.map(read))).filter((each) => each !== undefined);
  if (found.length > 1) throw new UsageError(`Both sites have an article ${slug}; say which one with --site.`);
  const [only] = found;
  if (only === undefined) {
    throw new KnowledgeError('not_found', `There is no article ${slug}${site === undefined ? '' : ` on ${site}`}.`);
  }
  return requireField(only.article);
}

/** Says what a change of an article would take from its next revision; undefined if that is not scheduled. */
export function scheduleLoss({ draft }: Pick<ArticleRecord, 'draft'>): string | undefined {
  if (draft?.publishAt === undefined) return undefined;
  const when = readableTime(timestamp(draft.publishAt));
  return (
    `${draft.scheduledBy} scheduled its next revision for ${when} UTC. If you change the article now, ` +
    'that does not appear until somebody has compared the two and scheduled it again.'
  );
}

/** A draft of the next revision, with the parts that every draft has. */
export interface NextRevision extends ArticleDraft {
  readonly entry: ArticleEntry;
  readonly notice: ArticleDraftNotice;
}

/** Reads the draft of an article that exists; undefined if it has none. */
export async function readDraft(
  drafts: ArticleDraftCalls,
  name: { readonly site: Site; readonly slug: string },
): Promise<NextRevision | undefined> {
  const found = await drafts.getArticleDraft(name).catch(unlessNotFound);
  return found && toNextRevision(found.draft);
}

export function toNextRevision(draft: ArticleDraft | undefined): NextRevision {
  const found = requireField(draft);
  return { ...found, entry: requireField(found.entry), notice: requireField(found.notice) };
}

/**
 * Puts a draft. A text that was written without knowing a draft must not overwrite one.
 *
 * @throws KnowledgeError `invalid_state` that says who wrote the other draft.
 */
export async function putDraft(
  drafts: ArticleDraftCalls,
  request: PutArticleDraftRequest,
): Promise<PutArticleDraftResponse> {
  if (request.expectedRevision === 0) {
    const { draft, outcome } = await drafts.putArticleDraft({ ...request, validateOnly: true });
    if (outcome === PutOutcome.UPDATED) {
      const { authors } = toNextRevision(draft).notice;
      // The last author would be the caller.
      const others = authors.slice(0, -1).join(', ') || authors.join(', ');
      throw new KnowledgeError('invalid_state', `There is a draft by ${others} already.`);
    }
  }
  return drafts.putArticleDraft(request);
}

/**
 * Reads the inquiry that proposes a correction of this article.
 *
 * @throws KnowledgeError `not_found`, or `validation_error` if it is something else.
 */
export async function readCorrection(
  moderation: ModerationCalls,
  id: string,
  article: { readonly site: Site; readonly slug: string },
): Promise<ContributionView> {
  const { contribution } = await moderation.getContributionRecord({ id, notShown: true });
  const view = presentContribution(requireField(contribution));
  const { purpose, about } = view;
  if (purpose === 'correction' && about?.slug === article.slug && about.site === sites.fromWire(article.site)) {
    return view;
  }
  throw new KnowledgeError('validation_error', `Inquiry ${id} proposes no correction of ${article.slug}.`);
}

/** The reason of a draft that brings in a correction, so that the log leads to the inquiry. */
export function reasonOf({ id }: Pick<ContributionView, 'id'>): string {
  return `Correction proposed in inquiry ${id}.`;
}
