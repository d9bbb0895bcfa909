import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleDraftNotice, ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { KnowledgeError } from '@knowledge/runtime';
import { type Fragment, minuteElement } from '@knowledge/runtime/html';
import type { FastifyRequest } from 'fastify';
import { articleStates } from '../../article/present-article.js';
import type { EditorialClient } from '../../services.js';
import { requireField, sites } from '../../words.js';
import {
  buttonRow,
  callOf,
  facts,
  linkButton,
  type Shown,
  shownText,
  siteTitle,
  stateMark,
  strange,
  timeOf,
  titled,
} from '../page-parts.js';

/** The path of the pages of one article. */
export const articlePath = '/articles/:site/:slug';

/** An article as a path names it. */
export interface PathName {
  readonly site: Site;
  readonly slug: string;
}

/** @throws KnowledgeError `not_found` for a site that does not exist. */
export function nameOf({ params }: FastifyRequest): PathName {
  const { site = '', slug = '' } = params as { site?: string; slug?: string };
  if (!sites.words.includes(site)) throw new KnowledgeError('not_found', 'There is no such article.');
  return { site: sites.toWire(site), slug };
}

/** The path of an article's own page, or of one of the pages below it. */
export function pathOf({ site, slug }: PathName, page = ''): string {
  return `/articles/${sites.fromWire(site)}/${encodeURIComponent(slug)}${page === '' ? '' : `/${page}`}`;
}

/** Reads the article that the path names. */
export async function readArticle(editorial: EditorialClient, request: FastifyRequest) {
  const record = requireField((await editorial.getArticleRecord(nameOf(request), callOf(request))).article);
  return { record, entry: requireField(record.entry), body: record.body };
}

/** An article in any state: its facts, what can be done with it, and its text. `mayWrite` adds what editors can do. */
export function articlePage(record: ArticleRecord, mayWrite: boolean): Shown {
  const entry = requireField(record.entry);
  const state = articleStates.fromWire(record.state);
  const last = record.history.at(-1);
  return titled(
    entry.title,
    <>
      {facts({
        State: stateMark(state),
        Site: siteTitle(sites.fromWire(entry.site)),
        URL: `/articles/${entry.slug}`,
        Published: timeOf(entry.publishedAt),
        Changed: last?.occurredAt && [minuteElement(last.occurredAt), ' by ', <bdi>{last.actor}</bdi>],
        Reason: strange(last?.reason),
        Tags: entry.tags.join(', '),
        Author: strange(entry.author),
        Language: entry.language,
        Length: `${entry.wordCount} words, about ${entry.readingTokens} tokens`,
      })}
      {record.draft !== undefined && draftNotice(record.draft, entry.revision, pathOf(entry, 'next'))}
      {buttonRow(
        mayWrite && record.state !== ArticleState.DRAFT && linkButton(pathOf(entry, 'next'), 'Next revision'),
        mayWrite &&
          linkButton(pathOf(entry, 'edit'), record.state === ArticleState.PUBLISHED ? 'Change at once' : 'Edit'),
        linkButton(pathOf(entry, 'history'), `History (${entry.revision})`),
        ...stateChanges.map(
          ({ page, label, from }) => mayWrite && from.includes(record.state) && linkButton(pathOf(entry, page), label),
        ),
        linkButton(pathOf(entry, 'export.md'), 'Export'),
      )}
      {shownText(entry, record.body)}
    </>,
    { back: ['/articles', 'Articles'], heading: <bdi>{entry.title}</bdi> },
  );
}

/** Says that a draft of the next revision exists, and whether it can be published. */
function draftNotice(notice: ArticleDraftNotice, now: number, path: string) {
  const { authors, baseRevision, publishAt, scheduledBy } = notice;
  return (
    <p class="notice">
      There is a <a href={path}>draft of the next revision</a> by <bdi>{authors.join(', ')}</bdi>
      {publishAt && [', which appears on ', minuteElement(publishAt), ' (decided by ', <bdi>{scheduledBy}</bdi>, ')']}.{' '}
      {missedWords(notice)}
      {baseRevision !== now &&
        ` It is based on revision ${baseRevision}, so it cannot be published before you compare.`}
    </p>
  );
}

/** Says when a draft was to appear, and why it does not; nothing if no time was taken back. */
export function missedWords({ missedAt, missedReason }: ArticleDraftNotice): Fragment {
  return missedAt && ['It was to appear at ', minuteElement(missedAt), ', but ', strange(missedReason)];
}

/** A change of an article's state that a page asks about before it happens. */
interface StateChange {
  /** The last part of the page's path. */
  readonly page: string;
  readonly label: string;
  /** What it means for readers. */
  readonly warning: string;
  readonly from: readonly ArticleState[];
  readonly method: 'publishArticle' | 'archiveArticle' | 'returnArticleToDraft' | 'deleteArticle';
}

const { DRAFT, SCHEDULED, PUBLISHED, ARCHIVED } = ArticleState;

export const stateChanges: readonly StateChange[] = [
  {
    page: 'publish',
    label: 'Publish',
    from: [DRAFT, ARCHIVED],
    method: 'publishArticle',
    warning: 'Readers see it at once, or at its time of publication if that is in the future.',
  },
  {
    page: 'archive',
    label: 'Archive',
    from: [PUBLISHED],
    method: 'archiveArticle',
    warning: 'Readers lose it at once. Its text, its history and its draft stay, and it can be published again.',
  },
  {
    page: 'return',
    label: 'Return to draft',
    from: [SCHEDULED, PUBLISHED, ARCHIVED],
    method: 'returnArticleToDraft',
    warning: 'Readers do not see a draft. To change an article that they go on reading, use its next revision.',
  },
  {
    page: 'delete',
    label: 'Delete',
    from: [DRAFT],
    method: 'deleteArticle',
    warning: 'Its text, all its revisions and the draft of its next revision are lost. This cannot be taken back.',
  },
];
