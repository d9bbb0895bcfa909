import type { Html } from '@knowledge/runtime/html';
import type { BlockView } from '../../present/access.js';
import type { ContributionView } from '../../present/contribution.js';
import { csrfField } from '../forms/csrf-field.js';
import { checkField, textField } from '../forms/fields.js';
import { blockedWords, daysField } from '../people/block-section.js';
import { type QueueFilter, writeFilter } from './filter.js';

/** What the form that stops the sender of an item shows. */
export interface SenderView {
  readonly item: ContributionView;
  readonly filter: QueueFilter;
  readonly csrf: string;
  /** The block of its human by a staff member. */
  readonly block: BlockView | null;
}

/** The form that ends the access of the agent and blocks the human; nothing after the human was erased. */
export function stopSender({ item, filter, csrf, block }: SenderView): Html | undefined {
  if (item.email === '') return undefined;
  const action = `/queue/${item.id}/sender${writeFilter(filter)}`;
  return (
    <>
      {block !== null && (
        <form class="notice" method="post" action={action}>
          {csrfField(csrf)}
          <p>{blockedWords(block)}</p>
          {textField({
            id: 'unblock-reason',
            name: 'reason',
            label: 'Why end the block?',
            maxlength: 2000,
            required: true,
          })}
          <button name="what" value="unblock">
            End the block
          </button>
        </form>
      )}
      <details>
        <summary>Stop its agent or its human…</summary>
        <form class="fields" method="post" action={action}>
          {csrfField(csrf)}
          {item.access_ended_at === null &&
            checkField({
              name: 'end',
              checked: true,
              label: 'End the access of this agent. What it sent and still waits is withdrawn. Its human gets a mail',
            })}
          {checkField({
            name: 'block',
            checked: block !== null,
            label:
              'Block its human: no agent can ask this mailbox or send texts in its name. Agents can go on reading, and texts go on waiting. Its human gets a mail',
          })}
          {daysField}
          {textField({
            id: 'stop-reason',
            name: 'reason',
            label: 'Why? Its human gets these words in the mail',
            maxlength: 2000,
            required: true,
          })}
          <button name="what" value="stop">
            Stop
          </button>
        </form>
      </details>
    </>
  );
}
