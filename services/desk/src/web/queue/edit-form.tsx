import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { wasPublished } from '../../actions/decisions.js';
import type { ContributionView } from '../../present/contribution.js';
import { noEnter } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { areaField, checkField, guardField, textField } from '../forms/fields.js';
import { type QueueFilter, writeFilter } from './filter.js';
import { keyHint } from './key-hint.js';

/** The forms that edit a story or prompt reply: one for its words, one for what must go at once. */
export function editForms({ item, filter, csrf }: EditView): Fragment {
  const { allowed_edit: edit } = item;
  if (edit === null) return undefined;
  const { id, title, name, body, revision } = item;
  const lang = languageTag(item.language ?? undefined);
  const form = (prefix: 'edit' | 'remove', fields: Fragment, button: string, isAtOnce: boolean): Html => (
    <form method="post" action={`/queue/${id}/edit${writeFilter(filter)}`}>
      {csrfField(csrf)}
      {noEnter}
      {guardField('revision', revision)}
      {fields}
      {isAtOnce && name !== null && <p>{checkField({ name: 'unname', label: 'Show it without its name' })}</p>}
      {textField({
        id: `${prefix}-reason`,
        name: 'reason',
        label: 'Why? Its human and its agent read it',
        maxlength: bounds.reason.max,
        required: true,
        autocomplete: false,
      })}
      {isAtOnce && (
        <p>
          {checkField({
            name: 'forget',
            label: 'Keep no earlier text, since it has personal data; its human cannot undo it then',
          })}
        </p>
      )}
      <button>{button}</button> <span class="small">or Ctrl and Enter</span>
    </form>
  );
  const asks = wasPublished(item);
  const hint = asks
    ? 'It was published. Its human gets the difference by mail, and nothing changes without their yes.'
    : 'Its human gets the difference with the mail of the publication, and can undo it.';
  const words = [
    title !== null &&
      textField({
        id: 'edit-title',
        name: 'title',
        label: 'Title',
        value: title,
        lang,
        maxlength: bounds.title.max,
        required: true,
        autocomplete: false,
      }),
    areaField({
      id: 'edit-body',
      name: 'text',
      label: 'Text',
      value: body,
      hint,
      lang,
      rows: 12,
      maxlength: bounds.body.max,
      required: true,
    }),
  ];
  const passages = areaField({
    id: 'edit-remove',
    name: 'remove',
    label: 'Words that must go, as they stand in the title or the text',
    rows: 4,
    maxlength: bounds.body.max,
    hint: 'Only what harms. An empty line stands between two passages. A mark shows where they stood.',
  });
  return [
    edit === 'words' && (
      <details class="with-text">
        <summary data-key="e" aria-keyshortcuts="e">
          Edit… {keyHint('e')}
        </summary>
        {form('edit', words, asks ? 'Propose this edit' : 'Keep this text', !asks)}
      </details>
    ),
    asks && (
      <details class="with-text">
        <summary>Take out at once…</summary>
        {form('remove', passages, 'Take it out', true)}
      </details>
    ),
  ];
}

interface EditView {
  readonly item: ContributionView;
  readonly filter: QueueFilter;
  readonly csrf: string;
}
