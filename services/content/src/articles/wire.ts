import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import {
  ArticleState,
  type Article as WireArticle,
  type ArticleEntry as WireEntry,
} from '@knowledge/proto/knowledge/content/v1/content';
import {
  RevisionVisibility,
  type ArticleRecord as WireRecord,
  type ArticleRevision as WireRevision,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Transition } from '@knowledge/runtime';
import { enumWords, requireSite, toWireFieldName, toWireSite, toWireTransition } from '@knowledge/runtime/wire';
import { isSlug } from '../base/bounds.js';
import { type Article, type ArticleEntry, type ArticleName, type ArticleRecord, unknownArticle } from './domain.js';
import type { ReadableArticle } from './read.js';
import type { RevisionSummary } from './revisions.js';

const states = enumWords('state', ArticleState);
export const optionalState = states.optional;
const { toWire: toWireVisibility } = enumWords('visibility', RevisionVisibility);

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
    state: states.toWire(record.state),
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

/** @throws KnowledgeError `validation_error` without a site, and `not_found` for what can be no slug. */
export function requireName({ site, slug }: { readonly site: Site; readonly slug: string }): ArticleName {
  const name = { site: requireSite(site), slug };
  if (!isSlug(slug)) throw unknownArticle();
  return name;
}
