import type { Fragment, Html } from '@knowledge/runtime/html';
import type { BlockView } from '../../present/authorization.js';
import type { ErasureView } from '../../present/erasure.js';
import { limitWords } from '../../present/limit-words.js';
import type { QuotaView } from '../../present/quota.js';
import type { presentMail, presentTransition } from '../../present/transition.js';
import { checkField, csrfField, formBlock, reasonForm, textField } from '../parts/fields.js';
import { changeWords, fact, strange, timeOf, titledTable, words } from '../parts/values.js';

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

/** What a reader or writer has left, what it met, and a form that makes it whole. */
export function limitsSection(title: string, quota: QuotaView, action: string, csrf: string): Html {
  const used = quota.allowances.filter(({ limit, remaining }) => limit > 0 && remaining === 0);
  return (
    <section>
      {titledTable(
        title,
        quota.allowances,
        [
          { header: 'What is counted', cell: ({ policy }) => limitWords(policy) },
          { header: 'Limit', cell: ({ limit }) => (limit === 0 ? 'off' : String(limit)) },
          { header: 'Left', cell: ({ limit, remaining }) => (limit === 0 ? '' : String(remaining)) },
          { header: 'Full again', cell: ({ reset_at }) => timeOf(reset_at) },
        ],
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
        csrf,
        button: 'Reset',
        label: `Reset the limits of ${quota.id}`,
        isReasonRequired: true,
        children: hiddenSubject(quota.id),
      })}
    </section>
  );
}

function hiddenSubject(subject: string): Html {
  return <input type="hidden" name="subject" value={subject} />;
}

/** The open erasures. Who asked cannot confirm; the services check it too. */
export function erasureTable(erasures: readonly ErasureView[], csrf: string, actor: string): Html {
  return titledTable(
    'Erasures that need a second person',
    erasures,
    [
      { header: 'Person', cell: ({ email }) => strange(email) },
      { header: 'Published work', cell: ({ with_work }) => (with_work ? 'is deleted too' : 'stays without the name') },
      { header: 'Reason', cell: ({ reason }) => strange(reason) },
      {
        header: 'Asked by',
        cell: (each) => (
          <>
            {strange(each.asked_by)}, {timeOf(each.asked_at)}
          </>
        ),
      },
      {
        header: 'Lapses',
        cell: (each) => (each.state === 'waiting' ? timeOf(each.lapses_at) : 'confirmed, not finished'),
      },
      { header: 'Decide', cell: (each) => decide(each, csrf, actor) },
    ],
    'None waits.',
  );
}

function decide({ id, state, email, asked_by }: ErasureView, csrf: string, actor: string): Html {
  const whom = email ?? 'this person';
  const finish = state === 'waiting' ? 'Confirm and erase' : 'Finish erasing';
  const isOwn = asked_by.toLowerCase() === actor.toLowerCase();
  return (
    <>
      {isOwn && state === 'waiting' ? (
        <p class="small">Another staff member must confirm it.</p>
      ) : (
        <form method="post" action={`/people/erasures/${id}/confirm`}>
          {csrfField(csrf)}
          {checkField({ name: 'checked', label: 'I compared the address; it cannot be undone', required: true })}
          <button aria-label={`${finish} ${whom}`}>{finish}</button>
        </form>
      )}
      {state === 'waiting' &&
        reasonForm({
          action: `/people/erasures/${id}/cancel`,
          csrf,
          button: 'Cancel',
          label: `Cancel the erasure of ${whom}`,
        })}
    </>
  );
}

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

const notices = {
  'token-ended': 'The token has ended. Its human gets a mail.',
  'request-cancelled': 'The request is cancelled; its mailed links stop working.',
  'requests-blocked':
    'Agents can no longer ask this mailbox or send texts in its name. Requests that waited are cancelled.',
  'requests-allowed': 'The block has ended.',
  'link-sent': 'A mail with the access link is on its way.',
  'mails-again': 'What you chose is tried again now. What nobody needs any more is not sent.',
  'limits-reset': 'The limits are unused again.',
  'erasure-asked': 'Nothing is erased yet: another staff member must confirm it within seven days.',
  'erasure-cancelled': 'The erasure is cancelled. Nothing was erased.',
  erased: 'The person is erased.',
} as const;

export type Notice = keyof typeof notices;

/** Says what the last form did; nothing for a word that is none of ours. */
export function noticeOf(done: string): Html | undefined {
  if (!Object.hasOwn(notices, done)) return undefined;
  return (
    <div class="notice" role="status">
      <p>{notices[done as Notice]}</p>
    </div>
  );
}

/** Facts with their labels. Facts without a value are left out. */
export function factList(facts: readonly (readonly [label: string, value: Fragment])[]): Html {
  return <dl class="facts">{facts.map(([label, value]) => fact(label, value))}</dl>;
}

/** Who changed it, when and why; oldest first. */
export function historyTable(history: readonly ReturnType<typeof presentTransition>[]): Html {
  return titledTable(
    'History',
    history,
    [
      { header: 'When', cell: ({ occurred_at }) => timeOf(occurred_at) },
      { header: 'Change', cell: ({ from_state, to_state }) => changeWords(from_state, to_state) },
      { header: 'Who', cell: ({ actor }) => strange(actor) },
      { header: 'Why', cell: ({ reason }) => strange(reason) },
    ],
    'Nothing is stored.',
  );
}

type MailView = ReturnType<typeof presentMail>;

/** The mails of one thing, oldest first. */
export function mailsOfThing(mails: readonly MailView[]): Html {
  return titledTable('Mails', mails, [...mailColumns], 'It caused no mail.');
}

export const mailColumns = [
  { header: 'Mail', cell: ({ purpose }: MailView) => words(purpose) },
  {
    header: 'Delivery',
    cell: ({ state, attempts, response }: MailView) => (
      <>
        {state}, {attempts} {attempts === 1 ? 'try' : 'tries'} <span class="small">{strange(response)}</span>
      </>
    ),
  },
  { header: 'Sent', cell: ({ sent_at }: MailView) => timeOf(sent_at) },
];
