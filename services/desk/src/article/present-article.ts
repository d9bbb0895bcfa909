import { ArticleState, type Highlight } from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { requireField } from '../present/require-field.js';
import { presentTransition } from '../present/transition.js';
import { timestamp } from '../print/time.js';
import { enumWords } from '../words.js';
import { presentEntry } from './article-fields.js';
import { presentNotice } from './present-draft.js';

export const articleStates = enumWords(ArticleState);

/** An article in a list. It has no body and no history. */
export type ArticleView = ReturnType<typeof presentArticle>;

export type ArticleDetail = ReturnType<typeof presentArticleDetail>;

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
