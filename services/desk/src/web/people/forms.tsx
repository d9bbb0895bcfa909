import type { Html } from '@knowledge/runtime/html';
import { reasonForm } from '../forms/blocks.js';
import { checkField, textField } from '../forms/fields.js';

interface EndableToken {
  readonly id: string;
  readonly agent_name: string;
}

/** Ends one token of the person at `path`. */
export function endTokenForm({ id, agent_name }: EndableToken, path: string, csrf: string): Html {
  return reasonForm({
    action: `${path}/tokens/${id}/end`,
    csrf,
    button: 'End',
    label: `End the token of ${agent_name}`,
    children: checkField({ name: 'keep_waiting', label: 'Keep what waits for review; otherwise it is withdrawn' }),
  });
}

/** The field of a reason; `id` tells several of one page apart. */
export function reasonField(id: string, value = '', fault?: string): Html {
  return textField({
    id,
    name: 'reason',
    label: 'Reason',
    hint: 'Stored with your name.',
    value,
    required: true,
    maxlength: 2000,
    fault: fault && `Reason ${fault}.`,
  });
}
