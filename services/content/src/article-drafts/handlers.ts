import type {
  ArticleDraftServiceService,
  ArticleDraft as WireDraft,
} from '@knowledge/proto/knowledge/content/v1/article_drafts';
import type { ArticleDraftNotice } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Attribution } from '@knowledge/runtime';
import { type HandlerContext, type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { optionalSite } from '@knowledge/runtime/wire';
import { articleId } from '../articles/documents.js';
import { type Article, type ArticleName, unknownArticle } from '../articles/domain.js';
import { requireName, toWireEntry, toWireRecord } from '../articles/wire.js';
import { requireReason } from '../base/bounds.js';
import { logChange, toWireOutcome } from '../base/wire.js';
import {
  type ArticleDraft,
  checkDraftPut,
  type DraftDecision,
  type DraftNotice,
  type DraftState,
  decideDiscard,
  decideDraftPublication,
  decideDraftPut,
  decideUnscheduling,
  requireDraft,
  requireFuture,
} from './domain.js';
import type { ArticleDraftStore, DraftChange } from './store.js';

export function articleDraftHandlers(drafts: ArticleDraftStore): Handlers<ArticleDraftServiceService> {
  const change = async <Decision extends DraftDecision>(
    name: ArticleName,
    decide: (state: DraftState) => Decision,
    context: HandlerContext,
    validateOnly = false,
  ): Promise<DraftChange<Decision> & { article: Article }> => {
    const { decision, article } = await drafts.change(name, decide, context, validateOnly);
    if (article === undefined) throw unknownArticle();
    if (!validateOnly) logChange(context, 'article_draft', articleId(name), decision);
    return { decision, article };
  };

  return {
    async putArticleDraft({ validateOnly, ...request }, context) {
      const put = checkDraftPut({ ...request, site: optionalSite(request.site) });
      const act = requireAttribution(context, put.reason);
      const decide = (state: DraftState) => decideDraftPut(state, put, act);
      const { decision, article } = await change(put, decide, context, validateOnly);
      return { draft: toWireDraft(decision.draft, article), outcome: toWireOutcome(decision.outcome) };
    },

    async getArticleDraft(request, { signal }) {
      const { draft, article } = requireDraft(await drafts.read(requireName(request), signal));
      return { draft: toWireWholeDraft(draft, article) };
    },

    async publishArticleDraft({ at: wanted, expectedRevision, reason, ...request }, context) {
      const act = attributionOf(context, reason);
      const at = wanted && requireFuture(wanted, act.at);
      const decide = (state: DraftState) => decideDraftPublication(state, { at, expectedRevision }, act);
      const { decision, article } = await change(requireName(request), decide, context);
      const draft = 'draft' in decision ? toWireNotice(decision.draft) : undefined;
      return { article: { ...toWireRecord(article), draft } };
    },

    async unscheduleArticleDraft({ expectedRevision, reason, ...request }, context) {
      const act = attributionOf(context, reason);
      const decide = (state: DraftState) => decideUnscheduling(state, expectedRevision, act);
      const { decision, article } = await change(requireName(request), decide, context);
      return { draft: toWireDraft(decision.draft, article) };
    },

    async discardArticleDraft({ expectedRevision, reason, ...request }, context) {
      const act = attributionOf(context, reason);
      await change(requireName(request), (state) => decideDiscard(state, expectedRevision, act), context);
      return {};
    },
  };
}

function attributionOf(context: HandlerContext, reason: string): Attribution {
  return { ...requireAttribution(context, requireReason(reason)), requestId: context.requestId };
}

/** Makes the reader of what listings of articles say about their drafts. The keys are `site/slug`. */
export function draftNotices({ notices }: Pick<ArticleDraftStore, 'notices'>) {
  return async (
    names: readonly ArticleName[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ArticleDraftNotice>> => {
    const found = await notices(names, signal);
    return new Map([...found].map(([name, notice]) => [name, toWireNotice(notice)]));
  };
}

/** Converts a draft without its body, for responses to changes. */
function toWireDraft(draft: ArticleDraft, { revision }: Pick<Article, 'revision'>): WireDraft {
  return {
    entry: toWireEntry({ ...draft, revision: draft.baseRevision }),
    body: '',
    notice: toWireNotice(draft),
    createdAt: draft.createdAt,
    articleRevision: revision,
  };
}

function toWireWholeDraft(draft: ArticleDraft, article: Pick<Article, 'revision'>): WireDraft {
  return { ...toWireDraft(draft, article), body: draft.body };
}

/** Converts what listings say about a draft. */
function toWireNotice({ schedule, missed, ...notice }: DraftNotice): ArticleDraftNotice {
  return {
    ...notice,
    authors: [...notice.authors],
    publishAt: schedule?.at,
    scheduledBy: schedule?.actor ?? '',
    missedAt: missed?.at,
    missedReason: missed?.reason ?? '',
  };
}
