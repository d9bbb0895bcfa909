import {
  type ArticleRevision,
  type GetArticleRevisionResponse,
  RevisionVisibility,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import { requireField } from '../present/require-field.js';
import { presentTransition } from '../present/transition.js';
import { readableTime } from '../print/time.js';
import { enumWords } from '../words.js';
import { presentEntry } from './article-fields.js';

/** A revision of an article in a list, without its text. */
export type RevisionView = ReturnType<typeof presentRevision>;

export type RevisionDetail = ReturnType<typeof presentRevisionDetail>;

export function presentRevision({ transition, visibility, restoredRevision, ...revision }: ArticleRevision) {
  const {
    from_state,
    to_state,
    actor,
    occurred_at,
    reason,
    revision: number,
  } = presentTransition(requireField(transition));
  return {
    revision: number,
    occurred_at,
    actor,
    from_state,
    to_state,
    visibility: visibilities.fromWire(visibility),
    changed_fields: revision.changedFields,
    words_added: revision.wordsAdded,
    words_removed: revision.wordsRemoved,
    restored_revision: restoredRevision === 0 ? null : restoredRevision,
    reason,
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
    fields.join(', ').replaceAll('_', ' '),
  ]
    .join(' ')
    .trim();
}

function changedWords({ words_added, words_removed }: Pick<RevisionView, 'words_added' | 'words_removed'>): string {
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
