import type {
  Article as WireArticle,
  ArticleEntry as WireEntry,
  Highlight as WireHighlight,
} from '@knowledge/proto/knowledge/content/v1/content';
import type {
  ArticleRecord as WireRecord,
  ArticleRevision as WireRevision,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Transition } from '@knowledge/runtime';
import { toWireFieldName, toWireSite, toWireTransition } from '@knowledge/runtime/wire';
import type { Article, ArticleEntry, ArticleRecord } from '../domain/article.js';
import type { RevisionSummary } from '../domain/article-revision.js';
import type { Highlight } from '../domain/highlights.js';
import type { ReadableArticle } from '../domain/read-articles.js';
import { toWireState, toWireVisibility } from './wire-enums.js';

export function toWireEntry(entry: ArticleEntry): WireEntry {
  return { ...entry, site: toWireSite(entry.site), tags: [...entry.tags] };
}

export function toWireArticle({ article, related }: ReadableArticle): WireArticle {
  return {
    entry: toWireEntry(article),
    body: article.body,
    related: related.map(({ slug, title }) => ({ slug, title })),
  };
}

/** Converts an article without body and history, for listings and for responses to changes. */
export function toWireRecord(record: ArticleRecord): WireRecord {
  return {
    entry: toWireEntry(record),
    body: '',
    state: toWireState(record.state),
    createdAt: record.createdAt,
    history: [],
    draft: undefined,
  };
}

export function toWireWholeRecord(article: Article, history: readonly Transition[]): WireRecord {
  return { ...toWireRecord(article), body: article.body, history: history.map(toWireTransition) };
}

export function toWireRevision({ transition, visibility, changedFields, ...summary }: RevisionSummary): WireRevision {
  return {
    transition: toWireTransition(transition),
    visibility: toWireVisibility(visibility),
    changedFields: changedFields.map(toWireFieldName),
    wordsAdded: summary.wordsAdded,
    wordsRemoved: summary.wordsRemoved,
    restoredRevision: summary.restoredRevision ?? 0,
  };
}

/** Numbers the highlights from 1, without gaps. */
export function toWireHighlights(highlights: readonly Highlight[]): WireHighlight[] {
  return highlights.map(({ entry, note }, index) => ({
    entry: toWireEntry(entry),
    position: index + 1,
    editorNote: note,
  }));
}
