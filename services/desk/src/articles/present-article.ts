import type { ArticleDraft } from '@knowledge/proto/knowledge/content/v1/article_drafts';
import { type ArticleEntry, ArticleState, type Highlight } from '@knowledge/proto/knowledge/content/v1/content';
import {
  type ArticleDraftNotice,
  type ArticleRecord,
  type ArticleRevision,
  type GetArticleRevisionResponse,
  RevisionVisibility,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { presented } from '../base/presented.js';
import { words } from '../base/text.js';
import { readableTime, timestamp } from '../base/time.js';
import { presentTransition } from '../base/transition.js';
import { enumWords, requireField, sites } from '../base/words.js';

export const articleStates = enumWords(ArticleState);

/** An article in a list. It has no body and no history. */
export type ArticleView = ReturnType<typeof presentArticle>;

export type ArticleDetail = ReturnType<typeof presentArticleDetail>;

/** The lines that a terminal shows of every text of an article, by their labels. */
export const textLines = {
  title: 'title',
  summary: 'summary',
  tags: ({ tags }: { readonly tags: readonly string[] }) => tags.join(', '),
  author: 'author',
  language: 'language',
  'published, UTC': 'published_at',
} as const;

export type HighlightView = ReturnType<typeof presentHighlight>;

export function presentArticle({ entry, state, createdAt, draft }: ArticleRecord) {
  return {
    ...presentEntry(requireField(entry)),
    state: articleStates.fromWire(state),
    created_at: timestamp(createdAt),
    draft: draft === undefined ? null : presentNotice(draft),
  };
}

export function presentArticleDetail(record: ArticleRecord) {
  return {
    ...presentArticle(record),
    body: record.body,
    body_format: 'markdown' as const,
    history: record.history.map(presentTransition),
  };
}

export function presentHighlight({ entry, position, editorNote }: Highlight) {
  return { position, ...presentEntry(requireField(entry)), state: 'published', editor_note: editorNote };
}

/** The draft of the next revision of an article, with its text. */
export type DraftView = ReturnType<typeof presentDraft>;

type NoticeView = ReturnType<typeof presentNotice>;

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
function presentNotice(notice: ArticleDraftNotice) {
  return {
    ...presented(notice),
    scheduled_by: notice.scheduledBy || null,
    missed_reason: notice.missedReason || null,
  };
}

/** Says in a few words whether an article has a next revision, and when that appears or was to appear. */
export function noticeWords(notice: NoticeView | null): string {
  if (notice === null) return '';
  if (notice.missed_at !== null) return `missed ${readableTime(notice.missed_at)}`;
  return notice.publish_at === null ? 'draft' : readableTime(notice.publish_at);
}

/** A revision of an article in a list, without its text. */
export type RevisionView = ReturnType<typeof presentRevision>;

export type RevisionDetail = ReturnType<typeof presentRevisionDetail>;

export function presentRevision({ transition, visibility, restoredRevision, ...revision }: ArticleRevision) {
  return {
    ...presentTransition(requireField(transition)),
    visibility: visibilities.fromWire(visibility),
    ...presented(revision),
    restored_revision: restoredRevision || null,
  };
}

/** Converts an article as it was at a revision. */
export function presentRevisionDetail({ revision, entry, body }: GetArticleRevisionResponse) {
  const change = presentRevision(requireField(revision));
  const facts = { ...presentEntry(requireField(entry)), state: change.to_state };
  return { ...facts, body, body_format: 'markdown' as const, change };
}

/** Says in a few words what changed with a revision. */
export function changeOf({ from_state, to_state, changed_fields, restored_revision, ...view }: RevisionView): string {
  if (from_state === '') return `new ${to_state}`;
  const fields = changed_fields.map((each) => (each === 'body' ? `body${changedWords(view)}` : each));
  return [
    ...(restored_revision === null ? [] : [`revision ${restored_revision} restored:`]),
    ...(from_state === to_state ? [] : [`${from_state} → ${to_state}${fields.length > 0 ? ';' : ''}`]),
    words(fields.join(', ')),
  ]
    .join(' ')
    .trim();
}

function changedWords({ words_added, words_removed }: Pick<RevisionView, 'words_added' | 'words_removed'>) {
  const signed = [...(words_added > 0 ? [`+${words_added}`] : []), ...(words_removed > 0 ? [`−${words_removed}`] : [])];
  if (signed.length === 0) return '';
  return ` (${signed.join(' ')} ${Math.max(words_added, words_removed) === 1 ? 'word' : 'words'})`;
}

/** Says whether readers see a revision; empty if they never saw it. */
export function readersOf({ visibility }: RevisionView): string {
  return visibility === 'now' ? 'see it' : visibility === 'earlier' ? 'saw it' : '';
}

/** Names a revision for people: its number, time and actor. */
export function revisionLine({ revision, occurred_at, actor }: RevisionView): string {
  return `revision ${revision} (${readableTime(occurred_at)} UTC, ${actor})`;
}

const visibilities = enumWords(RevisionVisibility);

/** Converts an article's fields to the names of `--json`. The commands `show` and `export` use the same fields. */
export function presentEntry(entry: ArticleEntry) {
  return { ...presented(entry), site: sites.fromWire(entry.site) };
}

/** The fields that editors put, and not those that the service makes. */
export function presentPutFields(entry: ArticleEntry) {
  const { updated_at: _, word_count: __, reading_tokens: ___, revision, ...fields } = presentEntry(entry);
  return fields;
}
