import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import type { ArticleDraftNotice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Html, minuteElement } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import type { NextRevision } from '../../actions/article/read-draft.js';
import { type ArticleText, articleDifference } from '../../difference/article-difference.js';
import type { ContributionView } from '../../present/contribution.js';
import { sideBySide } from '../difference/side-by-side.js';
import { buttonRow, linkButton, noEnter } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { textField, timeField } from '../forms/fields.js';
import { type FormFaults, fieldsOf, noFaults } from '../forms/form-values.js';
import { refusal } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { nextPath, pathOf } from './article-name.js';
import { missedWords } from './article-page.js';
import { correctionNotice } from './correction.js';
import type { EditView } from './edit-page.js';

/** What the form of the next revision shows around its fields. `base` is the revision on which a saved text is based. */
export function nextView(
  entry: ArticleEntry,
  notice: ArticleDraftNotice | undefined,
  base: number,
  correction?: ContributionView,
): Omit<EditView, 'form' | 'faults'> {
  const isOutdated = notice !== undefined && notice.baseRevision !== entry.revision;
  const intro = (
    <>
      <p>
        <a href={pathOf(entry)}>Article</a>
      </p>
      <p class="soft">Readers go on reading revision {entry.revision} until you publish this one.</p>
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
    guards: { base, draft: notice?.revision ?? 0 },
    save: 'Save draft',
    back: pathOf(entry),
  };
}

const publishReason = 'Reason for publishing';

/** The form that publishes a draft, as it was sent, and what was wrong with it. */
export interface PublishForm {
  readonly form: Readonly<Record<'at' | 'reason', string>>;
  readonly faults: FormFaults<'at' | 'reason'>;
}

/** What can be done with a saved draft, and how it differs from what readers see. */
export function nextActions(
  now: ArticleText,
  draft: NextRevision,
  csrf: string,
  { form, faults }: PublishForm = { form: { at: '', reason: '' }, faults: noFaults },
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
          {csrfField(csrf)}
          {noEnter}
          <input type="hidden" name="draft" value={notice.revision} />
          <div class="two">
            {timeField({ ...field('at', 'When', 'Empty means now.'), autofocus: faults.of.at !== undefined })}
            {textField({
              ...field('reason', publishReason, 'Stands in the history of the article; readers never see it.'),
              id: 'publish-reason',
              maxlength: bounds.reason.max,
            })}
          </div>
          <p>
            <button class="main">Publish the saved draft</button>
          </p>
        </form>
      )}
      {buttonRow(
        isScheduled && (
          <form method="post" action={pathOf(entry, 'next/unschedule')}>
            {csrfField(csrf)}
            <input type="hidden" name="draft" value={notice.revision} />
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
  const title = `Next revision of ${now.entry.slug}`;
  const main = (
    <>
      <h1>{title}</h1>
      <p>
        <a href={pathOf(now.entry)}>Article</a>
      </p>
      {draft === undefined ? <p>There is no draft.</p> : whatItChanges(now, draft)}
    </>
  );
  return { title, main };
}

function whatItChanges(now: ArticleText, draft: NextRevision): Html {
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
