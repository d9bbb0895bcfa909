import type { Html } from '@knowledge/runtime/html';
import type { BlockView } from '../../present/authorization.js';
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
    ...{ action: `${path}/block`, csrf, title: 'Block requests of agents', button: 'Block requests' },
    about:
      'No agent can send a request to this mailbox, with any plus-tag. Requests that wait are cancelled, which cannot be undone. Tokens stay.',
    children: (
      <>
        {textField({
          ...{ name: 'days', label: 'Days', hint: '0 means for ever.', value: '30' },
          ...{ type: 'number', min: 0, max: 3650, required: true },
        })}
        {reasonField('block-reason')}
      </>
    ),
  });
}

function unblockForm({ until, by, reason, created_at }: BlockView, path: string, csrf: string): Html {
  return formBlock({
    ...{ action: `${path}/unblock`, csrf, title: 'Requests of agents are blocked', button: 'Let agents ask again' },
    about: (
      <>
        Blocked {until === null ? 'for ever' : ['until ', timeOf(until)]}, by {strange(by)} on {timeOf(created_at)}
        {reason !== null && [': ', strange(reason)]}. An agent that asks gets the usual answer, and this person gets no
        mail.
      </>
    ),
    children: reasonField('unblock-reason'),
  });
}
