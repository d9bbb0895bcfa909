import {
  ArticleState,
  ChangeSubject,
  ObjectKind,
  type Article as WireArticle,
  type ArticleEntry as WireEntry,
  type Highlight as WireHighlight,
  type CommunityObject as WireObject,
  type ObjectEntry as WireObjectEntry,
} from '@knowledge/proto/knowledge/content/v1/content';
import {
  PutOutcome,
  RevisionVisibility,
  type ArticleRecord as WireRecord,
  type ArticleRevision as WireRevision,
} from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Transition } from '@knowledge/runtime';
import type { HandlerContext } from '@knowledge/runtime/grpc';
import { enumWords, toWireFieldName, toWireSite, toWireTransition } from '@knowledge/runtime/wire';
import type { Article, ArticleEntry, ArticleRecord } from '../domain/article.js';
import type { RevisionSummary } from '../domain/article-revisions.js';
import type { ObjectEntry, PublishedObject } from '../domain/community-object.js';
import type { Highlight } from '../domain/highlights.js';
import type { ReadableArticle } from '../domain/read-articles.js';

const states = enumWords('state', ArticleState);
export const optionalState = states.optional;
const kinds = enumWords('kind', ObjectKind);
export const { optional: optionalKind, require: requireKind } = kinds;
export const { toWire: toWireSubject } = enumWords('subject', ChangeSubject);
export const { toWire: toWireOutcome } = enumWords('outcome', PutOutcome);
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

/** Numbers the highlights from 1, without gaps. */
export function toWireHighlights(highlights: readonly Highlight[]): WireHighlight[] {
  return highlights.map(({ entry, note }, index) => ({
    entry: toWireEntry(entry),
    position: index + 1,
    editorNote: note,
  }));
}

export function toWireObjectEntry(entry: ObjectEntry): WireObjectEntry {
  return { ...entry, editedAt: entry.editedAt, kind: kinds.toWire(entry.kind), site: toWireSite(entry.site) };
}

export function toWireObject(object: PublishedObject): WireObject {
  const { body, prompt } = object;
  return { entry: toWireObjectEntry(object), body, prompt: prompt && { id: prompt.id, question: prompt.question } };
}

/** Logs a change with its actor. If nothing changed, it logs nothing. */
export function logChange(
  { log }: HandlerContext,
  subject: 'article' | 'article_draft' | 'object' | 'synonyms' | 'gloss',
  name: string,
  { outcome, transition }: { readonly outcome: string; readonly transition?: Transition },
): void {
  if (transition === undefined) return;
  const { actor, from, to, revision } = transition;
  log.info({ subject, name, outcome, actor, from, to, revision }, `${subject.replace('_', ' ')} changed`);
}
