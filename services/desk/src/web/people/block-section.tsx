import type { Html } from '@knowledge/runtime/html';
import type { BlockView } from '../../present/access.js';
import { formBlock } from '../forms/blocks.js';
import { textField } from '../forms/fields.js';
import { strange, timeOf } from '../layout/values.js';
import { reasonField } from './forms.js';

/** Says whether agents may ask this mailbox, with the form that changes it. */
export function blockSection(block: BlockView | null, path: string, csrf: string): Html {
  return block === null ? blockForm(path, csrf) : unblockForm(block, path, csrf);
}

function blockForm(path: string, csrf: string): Html {
  return formBlock({
    action: `${path}/block`,
    csrf,
    title: 'Block this mailbox',
    button: 'Block',
    about:
      'No agent can send a request to this mailbox, in any spelling, or a text in its name. Agents can go on reading, and texts that wait for review go on waiting. Requests that wait are cancelled, which cannot be undone. Tokens stay. Who has an access page gets a mail with the reason.',
    children: (
      <>
        {daysField}
        {reasonField('block-reason')}
      </>
    ),
  });
}

export const daysField = textField({
  name: 'days',
  label: 'Days of the block',
  hint: '0 means for ever.',
  value: '30',
  type: 'number',
  min: 0,
  max: 3650,
  required: true,
});

/** Says until when a mailbox is blocked, by whom and why. */
export function blockedWords({ until, by, reason, created_at }: BlockView): Html {
  return (
    <>
      Blocked {until === null ? 'for ever' : ['until ', timeOf(until)]}, by {strange(by)} on {timeOf(created_at)}
      {reason !== null && [': ', strange(reason)]}.
    </>
  );
}

function unblockForm(block: BlockView, path: string, csrf: string): Html {
  const isOwn = block.by === 'human';
  return formBlock({
    action: `${path}/unblock`,
    csrf,
    button: isOwn ? 'Let agents ask again' : 'End the block',
    title: isOwn ? 'This person refuses requests of agents' : 'This mailbox is blocked',
    about: (
      <>
        {blockedWords(block)} An agent that asks gets the usual answer, and this person gets no mail.
        {isOwn ? ' Agents that have a token can still send texts.' : ' Texts in the name of this person are refused.'}
      </>
    ),
    children: reasonField('unblock-reason'),
  });
}
