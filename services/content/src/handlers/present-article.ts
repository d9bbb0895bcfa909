import type { Transition as WireTransition } from '@knowledge/proto/knowledge/common/v1/common';
import type {
  Article as WireArticle,
  ArticleEntry as WireEntry,
  Highlight as WireHighlight,
} from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleRecord as WireRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Article, ArticleEntry, ArticleRecord } from '../domain/article.js';
import type { Highlight } from '../domain/highlights.js';
import type { ReadableArticle } from '../domain/read-articles.js';
import type { Transition } from '../domain/transition.js';
import { presentSite, presentState } from './wire-enums.js';

export function presentEntry(entry: ArticleEntry): WireEntry {
  const { slug, title, summary, tags, author, language, publishedAt, updatedAt, wordCount, revision } = entry;
  return {
    ...{ site: presentSite(entry.site), slug, title, summary, tags: [...tags], author, language },
    ...{ publishedAt, updatedAt, wordCount, revision },
  };
}

export function presentReadable({ article, related }: ReadableArticle): WireArticle {
  return {
    entry: presentEntry(article),
    body: article.body,
    related: related.map(({ slug, title }) => ({ slug, title })),
  };
}

/** Without body and history, as listings and the answers to changes show it. */
export function presentRecord(record: ArticleRecord): WireRecord {
  return {
    entry: presentEntry(record),
    body: '',
    state: presentState(record.state),
    createdAt: record.createdAt,
    history: [],
  };
}

export function presentWholeRecord(article: Article, history: readonly Transition[]): WireRecord {
  return { ...presentRecord(article), body: article.body, history: history.map(presentTransition) };
}

/** Numbers the highlights from 1, without gaps. */
export function presentHighlights(highlights: readonly Highlight[]): WireHighlight[] {
  return highlights.map(({ entry, note }, index) => ({
    entry: presentEntry(entry),
    position: index + 1,
    editorNote: note,
  }));
}

export function presentTransition({ from, to, actor, at, reason, revision }: Transition): WireTransition {
  return { fromState: from, toState: to, actor, occurredAt: at, reason, revision };
}
