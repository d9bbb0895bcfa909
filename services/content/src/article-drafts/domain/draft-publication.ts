import { type Attribution, KnowledgeError } from '@knowledge/runtime';
import type { Article } from '../../domain/article.js';
import { decidePut } from '../../domain/article-decisions.js';
import { pickFacts } from '../../domain/article-input.js';
import { checkRevision, staleRevision } from '../../domain/revision.js';
import type { ArticleDraft, DraftDecision, DraftEnded, DraftState } from './article-draft.js';
import { decideMissed, ended, isRepeated, requireDraft, revised } from './draft-decisions.js';

/** How a draft is to be published. */
export interface DraftPublication {
  /** When readers get it; undefined for at once. */
  readonly at: Date | undefined;
  readonly expectedRevision: number;
}

/** Publishes a draft at once, or schedules it. */
export function decideDraftPublication(
  state: DraftState,
  { at, expectedRevision }: DraftPublication,
  act: Attribution,
): DraftDecision {
  if (isRepeated(state, 'published', act)) return { outcome: 'repeated' };
  const { article, draft } = requireDraft(state);
  const same = at !== undefined && draft.schedule?.at.getTime() === at.getTime() && draft.schedule.actor === act.actor;
  checkRevision({ stored: draft.revision, expected: expectedRevision, same });
  if (same) return { outcome: 'unchanged', draft };
  const stale = staleness(article, draft);
  if (stale !== undefined) {
    const next = `Compare them and put the draft again with base_revision ${article.revision}.`;
    throw staleRevision(`${stale} ${next}`);
  }
  if (at === undefined) return published(state, article, draft, act);
  if (article.state === 'scheduled') {
    const why = `the article itself appears at ${article.publishedAt?.toISOString()}, and has another revision then`;
    throw new KnowledgeError('validation_error', `at must be left out: ${why}. Schedule this one after that.`);
  }
  const schedule = { at, actor: act.actor, reason: act.reason };
  return revised(state, act, { ...draft, schedule, missed: undefined });
}

/**
 * Publishes a scheduled draft whose time has come, in the name of who scheduled it. If the article changed meanwhile, the
 * draft loses its time. Returns undefined for every other draft.
 */
export function decideDraftDue(state: DraftState, clock: { now: Date; actor: string }): DraftDecision | undefined {
  const { article, draft } = state;
  if (article === undefined || draft?.schedule === undefined || draft.schedule.at > clock.now) return undefined;
  const { actor, reason } = draft.schedule;
  const stale = staleness(article, draft);
  if (stale === undefined) return published(state, article, draft, { actor, reason, at: clock.now });
  return decideMissed(draft, { actor: clock.actor, reason: stale, at: clock.now });
}

function published(state: DraftState, article: Article, draft: ArticleDraft, act: Attribution): DraftEnded {
  const { requestId: _, ...articleAct } = act;
  const put = { ...pickFacts(draft), publish: true, expectedRevision: 0, reason: act.reason };
  return { ...ended(state, 'published', act), published: decidePut(article, put, articleAct) };
}

function staleness(article: Article, { baseRevision }: ArticleDraft): string | undefined {
  if (article.revision === baseRevision) return undefined;
  return `The draft is based on revision ${baseRevision}, but the article has revision ${article.revision}.`;
}
