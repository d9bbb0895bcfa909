import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleDraftNotice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { withoutHiddenCharacters } from '@knowledge/runtime/hidden-characters';
import { type Html, minuteElement } from '@knowledge/runtime/html';
import type { ContributionView } from '../contributions/contribution.js';
import {
  buttonRow,
  csrfField,
  fieldsOf,
  linkButton,
  linkLine,
  mainButton,
  noEnter,
  noFaults,
  reasonField,
  refusal,
  type SentForm,
  type Shown,
  sideBySide,
  timeField,
  titled,
} from '../pages/index.js';
import { type ArticleText, articleDifference } from './difference.js';
import type { NextRevision } from './drafts.js';
import { type EditView, missedWords, type PathName, pathOf } from './web-article.js';

/** What the form of the next revision shows around its fields. A text that is saved is based on this entry. */
export function nextView(
  entry: ArticleEntry,
  state: string,
  notice: ArticleDraftNotice | undefined,
  correction: ContributionView | undefined,
): EditView {
  const isOutdated = notice !== undefined && notice.baseRevision !== entry.revision;
  const intro = (
    <>
      {linkLine(pathOf(entry), 'Article')}
      {state === 'published' ? (
        <p class="soft">Readers go on reading revision {entry.revision} until you publish this one.</p>
      ) : (
        <p class="notice">Readers do not find this article now: it is {state}.</p>
      )}
      {notice?.publishAt && (
        <p class="notice">
          It appears on {minuteElement(notice.publishAt)}, decided by <bdi>{notice.scheduledBy}</bdi>. A change of the
          article before then takes this time back.
        </p>
      )}
      {notice?.missedAt && <p class="notice">{missedWords(notice)}</p>}
      {isOutdated && (
        <p class="notice">
          The draft is based on revision {notice.baseRevision}, but the article has revision {entry.revision} now.
          Compare them below, bring the change into this text, and save: it is then based on revision {entry.revision}.
        </p>
      )}
      {correction && correctionNotice(correction)}
    </>
  );
  return {
    title: `Next revision of ${entry.slug}`,
    intro,
    action: nextPath(entry, correction?.id),
    reason: { label: 'Reason for the draft', hint: 'Why you save it; stands in the record, not in the history.' },
    guards: { base: entry.revision, draft: notice?.revision ?? 0 },
    save: 'Save draft',
    back: pathOf(entry),
  };
}

/** The form that publishes a draft. */
export type PublishForm = SentForm<Readonly<Record<'at' | 'reason', string>>>;

/** What can be done with a saved draft, and how it differs from what readers see. */
export function nextActions(
  now: ArticleText,
  draft: NextRevision,
  { form, faults }: PublishForm = {
    form: { at: '', reason: '' },
    faults: noFaults,
  },
): Html {
  const { entry } = now;
  const field = fieldsOf(form, faults);
  const { notice } = draft;
  const isOutdated = notice.baseRevision !== entry.revision;
  const isScheduled = notice.publishAt !== undefined;
  return (
    <>
      {whatItChanges(now, draft)}
      <h2>Publish</h2>
      {refusal(faults)}
      {!isOutdated && (
        <form class="edit" method="post" action={pathOf(entry, 'next/publish')}>
          {csrfField({ draft: notice.revision })}
          {noEnter}
          <div class="two">
            {timeField(field('at', 'When', 'Empty means now.'))}
            {reasonField({
              ...field(
                'reason',
                'Reason for publishing',
                'Stands in the history of the article; readers never see it.',
              ),
              id: 'publish-reason',
            })}
          </div>
          <p>{mainButton('Publish the saved draft')}</p>
        </form>
      )}
      {buttonRow(
        isScheduled && (
          <form method="post" action={pathOf(entry, 'next/unschedule')}>
            {csrfField({ draft: notice.revision })}
            <button>Take the time back</button>
          </form>
        ),
        linkButton(pathOf(entry, 'next/discard'), 'Discard the draft'),
      )}
    </>
  );
}

/** The next revision for those who may only read it. */
export function nextReading(now: ArticleText, draft: NextRevision | undefined): Shown {
  return titled(
    `Next revision of ${now.entry.slug}`,
    <>
      {linkLine(pathOf(now.entry), 'Article')}
      {draft === undefined ? <p>There is no draft.</p> : whatItChanges(now, draft)}
    </>,
    { status: 200 },
  );
}

function whatItChanges(now: ArticleText, draft: NextRevision) {
  return (
    <>
      <h2>What it changes</h2>
      {sideBySide(articleDifference(now, draft), `revision ${now.entry.revision}, as readers see it`, [
        'the draft by ',
        <bdi>{draft.notice.authors.join(', ')}</bdi>,
      ])}
    </>
  );
}

/** The words of a proposed correction, above the form that brings them in. */
function correctionNotice({ id, body, agent_name }: ContributionView) {
  return (
    <section class="correction" aria-labelledby="correction-title">
      <h2 id="correction-title">The proposed correction</h2>
      <p class="small">
        From the agent <bdi>{agent_name}</bdi>. <a href={`/queue/${id}`}>Answer the inquiry</a> when the draft is ready.
      </p>
      <blockquote dir="auto">{withoutHiddenCharacters(body)}</blockquote>
    </section>
  );
}

/** Says what became of the draft since an editor opened its revision `opened`; 0 if there was none. */
export function draftChange(opened: number, draft: NextRevision | undefined): string {
  if (draft === undefined) {
    return 'The draft that you opened was published or discarded meanwhile. If you save again, you begin a new one.';
  }
  const { revision, authors } = draft.notice;
  const now = `The draft has revision ${revision} now, last saved by ${authors.at(-1)};`;
  return opened === 0
    ? `${now} there was no draft when you opened this page.`
    : `${now} you opened the draft's revision ${opened}.`;
}

/** Shows what saving a text would change in the draft of a colleague. */
export function besideDraft(draft: NextRevision, typed: ArticleText): Html {
  const { revision, authors } = draft.notice;
  return (
    <>
      <h2>Changed meanwhile</h2>
      <p>Bring what you want to keep into your text, then save again: your text then stands in place of the draft.</p>
      {sideBySide(
        articleDifference(draft, typed),
        [`the draft's revision ${revision}, by `, <bdi>{authors.at(-1)}</bdi>],
        'your text',
      )}
    </>
  );
}

/** The path of the next revision, with the inquiry whose correction it brings in. */
export function nextPath(name: PathName, inquiry: string | undefined): string {
  return `${pathOf(name, 'next')}${inquiry === undefined ? '' : `?inquiry=${inquiry}`}`;
}
