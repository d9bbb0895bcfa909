import type { Html } from '@knowledge/runtime/html';
import { canEdit } from '../../actions/review/offers.js';
import type { ContributionView } from '../../present/contribution.js';
import { csrfField } from '../forms/csrf-field.js';
import { areaField, checkField, textField } from '../forms/fields.js';
import { type QueueFilter, writeFilter } from './filter.js';
import { keyHint } from './key-hint.js';

/** The form that corrects the text of a story or prompt reply; nothing where the text cannot change. */
export function editForm({ item, filter, csrf }: EditView): Html | undefined {
  if (!canEdit(item)) return undefined;
  const { id, title, name, body, revision, state } = item;
  return (
    <details class="with-text">
      <summary data-key="e" aria-keyshortcuts="e">
        Edit… {keyHint('e')}
      </summary>
      <form method="post" action={`/queue/${id}/edit${writeFilter(filter)}`}>
        {csrfField(csrf)}
        <input type="hidden" name="revision" value={revision} />
        {title !== null &&
          textField({ id: 'edit-title', name: 'title', label: 'Title', value: title, maxlength: 160, required: true })}
        {areaField({
          ...{ id: 'edit-body', name: 'text', label: 'Text', value: body },
          ...{ rows: 12, maxlength: 8000, required: true },
        })}
        {textField({ id: 'edit-name', name: 'name', label: 'Name to show', value: name ?? '', maxlength: 120 })}
        {textField({
          ...{ id: 'edit-reason', name: 'reason', label: 'Why? Its human and its agent read it' },
          ...{ maxlength: 2000, required: true },
        })}
        <p>{checkField({ name: 'forget', label: 'Keep no earlier text, since it has personal data' })}</p>
        <button>{state === 'published' ? 'Correct what readers get' : 'Keep this text'}</button>{' '}
        <span class="small">or Ctrl and Enter</span>
      </form>
    </details>
  );
}

interface EditView {
  readonly item: ContributionView;
  readonly filter: QueueFilter;
  readonly csrf: string;
}
