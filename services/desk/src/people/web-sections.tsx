import type { Html } from '@knowledge/runtime/html';
import { rules } from '@knowledge/runtime/product';
import type { FastifyRequest } from 'fastify';
import type { MailView } from '../base/transition.js';
import { limitWords, type QuotaView } from '../limits/limits.js';
import {
  type Cells,
  checkField,
  csrfField,
  formBlock,
  formField,
  reasonField,
  reasonForm,
  strange,
  textField,
  timeOf,
  titledTable,
  words,
} from '../pages/index.js';
import type { AuthorizationView, BlockView } from './access.js';
import type { ErasureView } from './person.js';

/** Who asked, as far as the request says: a client id and an IP address. */
export function requester({ client_id, client_address }: AuthorizationView) {
  return strange([client_id, client_address].filter(Boolean).join(', '));
}

/** The path of the page of one thing of a person. */
export function pathOfThing(path: string, kind: 'contribution' | 'request' | 'token', id: string): string {
  return `${path}/${kind}s/${id}`;
}

export const mailCells: Cells<MailView> = {
  Mail: ({ purpose }) => words(purpose),
  Delivery: ({ state, attempts, response }) => (
    <>
      {state}, {attempts} {attempts === 1 ? 'try' : 'tries'} <span class="small">{strange(response)}</span>
    </>
  ),
  Sent: 'sent_at',
};

interface OfAgent {
  readonly id: string;
  readonly agent_name: string;
}

/** Ends one token of the person at `path`. */
export function endTokenForm({ id, agent_name }: OfAgent, path: string): Html {
  return reasonForm({
    action: `${pathOfThing(path, 'token', id)}/end`,
    button: 'End',
    label: `End the token of ${agent_name}`,
    isReasonRequired: true,
    children: checkField({ name: 'keep_waiting', label: 'Keep what waits for review; otherwise it is withdrawn' }),
  });
}

/** Cancels one request to the person at `path`. */
export function cancelRequestForm({ id, agent_name }: OfAgent, path: string): Html {
  const action = `${pathOfThing(path, 'request', id)}/cancel`;
  return reasonForm({ action, button: 'Cancel', label: `Cancel the request of ${agent_name}` });
}

/** The field of a reason; `id` tells several of one page apart. */
export function requiredReasonField(id: string): Html {
  return reasonField({ id, hint: 'Stored with your name.', required: true });
}

/** Says whether agents may ask this mailbox, with the form that changes it. */
export function blockSection(block: BlockView | null, path: string): Html {
  if (block === null) {
    return formBlock({
      action: `${path}/block`,
      title: 'Block this mailbox',
      button: 'Block',
      about:
        'No agent can send a request to this mailbox, in any spelling, or a text in its name. Agents can go on reading, and texts that wait for review go on waiting. Requests that wait are cancelled, which cannot be undone. Tokens stay. Who has an access page gets a mail with the reason.',
      children: [daysField, requiredReasonField('block-reason')],
    });
  }
  const isOwn = block.by === 'human';
  return formBlock({
    action: `${path}/unblock`,
    button: isOwn ? 'Let agents ask again' : 'End the block',
    title: isOwn ? 'This person refuses requests of agents' : 'This mailbox is blocked',
    about: (
      <>
        {blockedWords(block)} An agent that asks gets the usual answer, and this person gets no mail.
        {isOwn ? ' Agents that have a token can still send texts.' : ' Texts in the name of this person are refused.'}
      </>
    ),
    children: requiredReasonField('unblock-reason'),
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

/** What a reader or writer has left, what it met, and a form that makes it whole. */
export function limitsSection(title: string, { id, allowances }: QuotaView, action: string): Html {
  const used = allowances.filter(({ limit, remaining }) => limit > 0 && remaining === 0);
  return (
    <section>
      {titledTable(
        title,
        allowances,
        {
          'What is counted': ({ policy }) => limitWords(policy),
          Limit: ({ limit }) => (limit === 0 ? 'off' : String(limit)),
          Left: ({ limit, remaining }) => (limit === 0 ? '' : String(remaining)),
          'Full again': 'reset_at',
        },
        'Nothing is counted.',
      )}
      {used.length === 0 ? (
        <p>No limit is met now, so a 429 has another cause, such as polling too fast.</p>
      ) : (
        <p>
          <strong>It gets 429 now:</strong> used up is {used.map(({ policy }) => limitWords(policy)).join('; ')}.
        </p>
      )}
      {reasonForm({
        action,
        button: 'Reset',
        label: `Reset the limits of ${id}`,
        isReasonRequired: true,
        children: <input type="hidden" name="subject" value={id} />,
      })}
    </section>
  );
}

/** The open erasures. Who asked cannot confirm; the services check it too. */
export function erasureTable(erasures: readonly ErasureView[], actor: string): Html {
  return titledTable(
    'Erasures that need a second person',
    erasures,
    {
      Person: 'email',
      'Published work': ({ with_work }) => (with_work ? 'is deleted too' : 'stays without the name'),
      Reason: 'reason',
      'Asked by': ({ asked_by, asked_at }) => [strange(asked_by), ', ', timeOf(asked_at)],
      Lapses: ({ state, lapses_at }) => (state === 'waiting' ? timeOf(lapses_at) : 'confirmed, not finished'),
      Decide: (each) => decide(each, actor),
    },
    'None waits.',
  );
}

function decide({ id, state, email, asked_by }: ErasureView, actor: string) {
  const whom = email ?? 'this person';
  const isWaiting = state === 'waiting';
  const finish = isWaiting ? 'Confirm and erase' : 'Finish erasing';
  const isOwn = asked_by.toLowerCase() === actor.toLowerCase();
  const path = `/people/erasures/${id}`;
  return (
    <>
      {isOwn && isWaiting ? (
        <p class="small">Another staff member must confirm it.</p>
      ) : (
        <form method="post" action={`${path}/confirm`}>
          {csrfField()}
          {checkField({ name: 'checked', label: 'I compared the address; it cannot be undone', required: true })}
          <button aria-label={`${finish} ${whom}`}>{finish}</button>
        </form>
      )}
      {isWaiting && reasonForm({ action: `${path}/cancel`, button: 'Cancel', label: `Cancel the erasure of ${whom}` })}
    </>
  );
}

const notices = {
  'token-ended': 'The token has ended. Its human gets a mail.',
  'request-cancelled': 'The request is cancelled; its mailed links stop working.',
  'requests-blocked':
    'Agents can no longer ask this mailbox or send texts in its name. Requests that waited are cancelled.',
  'requests-allowed': 'The block has ended.',
  'link-sent': 'A mail with the access link is on its way.',
  'mails-again': 'What you chose and still waits is tried again now. What nobody needs any more is not sent.',
  'limits-reset': 'The limits are unused again.',
  'erasure-asked': `Nothing is erased yet: another staff member must confirm it within ${rules.erasureDays} days.`,
  'erasure-cancelled': 'The erasure is cancelled. Nothing was erased.',
  erased: 'The person is erased.',
} as const;

export type Notice = keyof typeof notices;

/** Says what the last form did, which the address names; nothing for a word that is none of ours. */
export function noticeOf({ query }: FastifyRequest): Html | undefined {
  const done = formField(query, 'done', 40);
  if (!Object.hasOwn(notices, done)) return undefined;
  return (
    <div class="notice" role="status">
      <p>{notices[done as Notice]}</p>
    </div>
  );
}
