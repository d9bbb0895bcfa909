import type { Html } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import type { ContributionView } from '../../present/contribution.js';
import { csrfField } from '../forms/csrf-field.js';
import { atMost } from '../forms/fields.js';
import { strange, timeOf } from '../layout/values.js';
import { type QueueFilter, writeFilter } from './filter.js';

/** The notes of colleagues about an item, and a form for another one. */
export function notes({ item, filter, csrf }: { item: ContributionView; filter: QueueFilter; csrf: string }): Html {
  return (
    <section class="notes" aria-labelledby="notes-title">
      <h3 id="notes-title">Notes, only for moderators</h3>
      {item.notes.length > 0 && (
        <ul class="history">
          {item.notes.map(({ author, written_at, text }) => (
            <li>
              <span class="asis">{strange(text)}</span>
              <span class="small">
                {' '}
                {strange(author)}, {timeOf(written_at)}
              </span>
            </li>
          ))}
        </ul>
      )}
      <form method="post" action={`/queue/${item.id}/notes${writeFilter(filter)}`}>
        {csrfField(csrf)}
        <label class="aside" for="note-text">
          A note
        </label>
        <textarea id="note-text" name="text" dir="auto" rows={2} {...atMost(bounds.reason.max)} required></textarea>
        <button>Add the note</button>
      </form>
    </section>
  );
}
