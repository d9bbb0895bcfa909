import type { Html } from '@knowledge/runtime/html';
import { canEdit } from '../../actions/review/offers.js';
import type { ContributionView } from '../../present/contribution.js';
import { csrfField } from '../layout/layout.js';
import { keyHint } from './fields.js';
import { type QueueFilter, writeFilter } from './filter.js';

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
        {title !== null && (
          <p class="field">
            <label for="edit-title">Title</label>
            <input id="edit-title" name="title" value={title} maxlength={160} required />
          </p>
        )}
        <label for="edit-body">Text</label>
        <textarea id="edit-body" name="text" rows={12} maxlength={8000} required>{`\n${body}`}</textarea>
        <p class="field">
          <label for="edit-name">Name to show</label>
          <input id="edit-name" name="name" value={name ?? ''} maxlength={120} autocomplete="off" />
        </p>
        <p class="field">
          <label for="edit-reason">Why? Its human and its agent read it</label>
          <input id="edit-reason" name="reason" value="" maxlength={2000} required autocomplete="off" />
        </p>
        <p>
          <input type="checkbox" id="edit-forget" name="forget" value="yes" />{' '}
          <label for="edit-forget">Keep no earlier text, since it has personal data</label>
        </p>
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
