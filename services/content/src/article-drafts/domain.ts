import {
  type Attribution,
  KnowledgeError,
  readingTokens,
  refuse,
  refuseFaults,
  type Transition,
} from '@knowledge/runtime';
import { plainText } from '@knowledge/runtime/markdown';
import { decidePut } from '../articles/decisions.js';
import {
  type Article,
  type ArticleEntry,
  type ArticleFacts,
  type ArticleOutcome,
  checkArticlePut,
  pickFacts,
  unknownArticle,
} from '../articles/domain.js';
import { checkRevision, hasSame, staleRevision, timeFault, type Unchecked } from '../base/bounds.js';
import { countWords } from '../base/words.js';

/** The draft of the next revision of an article. */
export interface ArticleDraft extends ArticleFacts, Pick<ArticleEntry, 'wordCount' | 'readingTokens' | 'updatedAt'> {
  /** The revision of the draft itself. It goes on with the next draft of the article, so that no two drafts share one. */
  readonly revision: number;
  /** The revision of the article on which the draft is based. */
  readonly baseRevision: number;
  /** Who put the draft, each once; the last one last. */
  readonly authors: readonly string[];
  readonly createdAt: Date;
  readonly schedule: DraftSchedule | undefined;
  /** The time that the draft lost, until somebody changes it. */
  readonly missed?: DraftMissed | undefined;
}

/** The time at which readers get a draft, and who decided it. */
interface DraftSchedule {
  readonly at: Date;
  readonly actor: string;
  readonly reason: string;
}

/** The time at which readers were to get a draft, and why they do not. */
interface DraftMissed {
  readonly at: Date;
  readonly reason: string;
}

/** What listings say about a draft. */
export type DraftNotice = Pick<
  ArticleDraft,
  'revision' | 'baseRevision' | 'authors' | 'updatedAt' | 'schedule' | 'missed'
>;

/** How a draft ended. It lets the service recognise a repeated request. */
export interface DraftEnd {
  readonly to: 'published' | 'discarded';
  readonly actor: string;
  readonly requestId: string;
}

/** An article with its draft, and what is left of the drafts before. */
export interface DraftState {
  readonly article: Article | undefined;
  readonly draft: ArticleDraft | undefined;
  /** The revision of this draft or of the last one that ended; 0 if there was none. */
  readonly revision: number;
  readonly lastEnd: DraftEnd | undefined;
}

/** What becomes of a draft. */
export type DraftDecision = DraftKept | DraftEnded;

/** A draft that stays, as it is or with a new revision. */
type DraftKept = { readonly outcome: 'unchanged'; readonly draft: ArticleDraft } | DraftRevised;

interface DraftRevised {
  readonly outcome: 'created' | 'updated';
  readonly draft: ArticleDraft;
  readonly transition: Transition;
}

/** A draft that is gone. It is `repeated` if the same request ended it before. */
type DraftEnded =
  | { readonly outcome: 'repeated' }
  | {
      readonly outcome: 'ended';
      readonly transition: Transition;
      /** The change of the article, if the draft is published. */
      readonly published?: ArticleOutcome;
    };

/** The fields that an editor sends for a draft. Without a time of publication the stored time is kept. */
export interface DraftPut extends ArticleFacts {
  readonly baseRevision: number;
  /** The revision of the draft that the editor expects; 0 disables the check. */
  readonly expectedRevision: number;
  readonly reason: string;
}

/**
 * Checks a put by the rules of the put of an article.
 *
 * @throws KnowledgeError `validation_error` that lists every invalid field.
 */
export function checkDraftPut({ baseRevision, ...sent }: Unchecked<DraftPut, 'site'>): DraftPut {
  const { publish: _, ...put } = checkArticlePut({ ...sent, publish: false });
  refuseFaults([baseRevision < 1 && 'base_revision must be the revision of the article that the text is based on']);
  return { ...put, baseRevision };
}

/** @throws KnowledgeError `validation_error` for a time that is not in the future. */
export function requireFuture(at: Date, now: Date): Date {
  refuseFaults([timeFault('at', at), !(at > now) && 'at must be in the future; leave it out to publish at once']);
  return at;
}

const maxAuthors = 20;

/** Creates the draft of an article, or changes it to match the put. A scheduled draft keeps its time. */
export function decideDraftPut(state: DraftState, put: DraftPut, act: Attribution): DraftKept {
  const { article, draft: before } = state;
  if (article === undefined) throw unknownArticle();
  const { expectedRevision, reason: _, ...facts } = put;
  const after = { ...facts, publishedAt: put.publishedAt ?? before?.publishedAt ?? article.publishedAt };
  requirePossible(article, after, act.at);
  if (before?.schedule !== undefined && put.baseRevision < article.revision) {
    throw staleRevision(`The draft is scheduled, so its text must be based on revision ${article.revision}.`);
  }
  const same = before !== undefined && hasSame<DraftFacts>(before, after);
  checkRevision({ stored: before?.revision ?? 0, expected: expectedRevision, same });
  if (same) return { outcome: 'unchanged', draft: before };
  return revised(state, act, {
    ...after,
    wordCount: countWords(plainText(put.body)),
    readingTokens: readingTokens(put.body),
    authors: [...(before?.authors ?? []).filter((each) => each !== act.actor), act.actor].slice(-maxAuthors),
    createdAt: before?.createdAt ?? act.at,
    schedule: before?.schedule,
  });
}

/** Takes the time of a scheduled draft back, because the article has a newer revision than its base. */
export function decideMissed(draft: ArticleDraft, act: Attribution): DraftRevised {
  const missed = draft.schedule && { at: draft.schedule.at, reason: act.reason };
  return revised({ draft, revision: draft.revision }, act, { ...draft, schedule: undefined, missed });
}

/** Takes the time of a scheduled draft back. A draft without a time does not change. */
export function decideUnscheduling(state: DraftState, expectedRevision: number, act: Attribution): DraftKept {
  const { draft } = requireDraft(state);
  const same = draft.schedule === undefined;
  checkRevision({ stored: draft.revision, expected: expectedRevision, same });
  return same ? { outcome: 'unchanged', draft } : revised(state, act, { ...draft, schedule: undefined });
}

/** Deletes a draft. */
export function decideDiscard(state: DraftState, expectedRevision: number, act: Attribution): DraftEnded {
  if (isRepeated(state, 'discarded', act)) return { outcome: 'repeated' };
  const { draft } = requireDraft(state);
  checkRevision({ stored: draft.revision, expected: expectedRevision, same: false });
  return ended(state, 'discarded', act);
}

/** @throws KnowledgeError `not_found` if there is no such article, or it has no draft. */
export function requireDraft({ article, draft }: Pick<DraftState, 'article' | 'draft'>): {
  article: Article;
  draft: ArticleDraft;
} {
  if (article === undefined) throw unknownArticle();
  if (draft === undefined) throw new KnowledgeError('not_found', 'The article has no draft of its next revision.');
  return { article, draft };
}

/** Whether the same request has already ended the draft so. */
function isRepeated({ draft, lastEnd }: DraftState, to: DraftEnd['to'], act: Attribution) {
  if (draft !== undefined || lastEnd === undefined) return false;
  return lastEnd.to === to && lastEnd.actor === act.actor && lastEnd.requestId === act.requestId;
}

/** Makes the next revision of a draft, with its transition. */
function revised(
  { draft: before, revision: last }: Pick<DraftState, 'draft' | 'revision'>,
  act: Attribution,
  after: Omit<ArticleDraft, 'revision' | 'updatedAt'>,
): DraftRevised {
  const revision = last + 1;
  return {
    outcome: before === undefined ? 'created' : 'updated',
    draft: { ...after, revision, updatedAt: act.at },
    transition: { ...act, from: stateOf(before), to: stateOf(after), revision },
  };
}

/** Makes the end of a draft, with its transition. */
function ended({ draft, revision }: DraftState, to: DraftEnd['to'], act: Attribution) {
  return { outcome: 'ended' as const, transition: { ...act, from: stateOf(draft), to, revision: revision + 1 } };
}

function stateOf(draft: Pick<ArticleDraft, 'schedule'> | undefined): string {
  if (draft === undefined) return '';
  return draft.schedule === undefined ? 'draft' : 'scheduled';
}

function requirePossible(article: Article, { baseRevision, publishedAt }: DraftFacts, now: Date) {
  if (baseRevision > article.revision) {
    refuse(`base_revision must be at most ${article.revision}, the revision of the article`);
  }
  // Such a time would hide the article from its readers.
  if (article.state === 'published' && publishedAt !== undefined && publishedAt > now) {
    refuse(
      'published_at must not be in the future, since readers see the article; publish the draft at that time instead',
    );
  }
}

type DraftFacts = Omit<DraftPut, 'expectedRevision' | 'reason'>;

/** How a draft is to be published. */
interface DraftPublication {
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
    const next = `Compare them and put the draft again, based on revision ${article.revision}.`;
    throw staleRevision(`${stale} ${next}`);
  }
  if (at === undefined) return published(state, article, draft, act);
  if (article.state === 'scheduled') {
    const why = `the article itself appears at ${article.publishedAt?.toISOString()}, and has another revision then`;
    refuse(`at must be left out: ${why}. Schedule this one after that`);
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

function staleness(article: Article, { baseRevision }: ArticleDraft) {
  if (article.revision === baseRevision) return undefined;
  return `The draft is based on revision ${baseRevision}, but the article has revision ${article.revision}.`;
}
