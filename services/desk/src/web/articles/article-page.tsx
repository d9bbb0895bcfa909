import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleDraftNotice, ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Fragment, minuteElement } from '@knowledge/runtime/html';
import { articleStates } from '../../article/present-article.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import { buttonRow, linkButton } from '../forms/buttons.js';
import type { Shown } from '../layout/send-page.js';
import { shownText } from '../layout/text-preview.js';
import { fact, siteTitle, stateMark, strange, timeOf } from '../layout/values.js';
import { pathOf } from './article-name.js';
import { stateChangesOf } from './state-changes.js';

/** An article in any state: its facts, what can be done with it, and its text. `mayWrite` adds what editors can do. */
export function articlePage(record: ArticleRecord, mayWrite: boolean): Shown {
  const entry = requireField(record.entry);
  const state = articleStates.fromWire(record.state);
  const last = record.history.at(-1);
  const main = (
    <>
      <p>
        <a href="/articles">Articles</a>
      </p>
      <h1>
        <bdi>{entry.title}</bdi>
      </h1>
      <dl class="facts">
        {fact('State', stateMark(state))}
        {fact('Site', siteTitle(sites.fromWire(entry.site)))}
        {fact('URL', `/articles/${entry.slug}`)}
        {fact('Published', timeOf(entry.publishedAt))}
        {fact('Changed', last?.occurredAt && [minuteElement(last.occurredAt), ' by ', <bdi>{last.actor}</bdi>])}
        {fact('Reason', strange(last?.reason))}
        {fact('Tags', entry.tags.join(', '))}
        {fact('Author', strange(entry.author))}
        {fact('Language', entry.language)}
        {fact('Length', `${entry.wordCount} words, about ${entry.readingTokens} tokens`)}
      </dl>
      {record.draft !== undefined && draftNotice(record.draft, entry.revision, pathOf(entry, 'next'))}
      {buttonRow(
        mayWrite && record.state !== ArticleState.DRAFT && linkButton(pathOf(entry, 'next'), 'Next revision'),
        mayWrite &&
          linkButton(pathOf(entry, 'edit'), record.state === ArticleState.PUBLISHED ? 'Change at once' : 'Edit'),
        linkButton(pathOf(entry, 'history'), `History (${entry.revision})`),
        ...stateChangesOf(record.state).map(({ page, label }) => mayWrite && linkButton(pathOf(entry, page), label)),
        linkButton(pathOf(entry, 'export.md'), 'Export'),
      )}
      {shownText(entry, record.body)}
    </>
  );
  return { title: entry.title, main };
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
