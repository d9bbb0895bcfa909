import type { MailDelivery, Transition } from '@knowledge/proto/knowledge/common/v1/common';
import { entryWords, outcomeOf } from './contribution-words.js';
import type { Presented } from './presented.js';
import { type Columns, formatTable, stateColumn } from './table.js';
import type { Paint } from './text.js';
import { timestamp } from './time.js';

export type MailView = Presented<MailDelivery>;

export type TransitionView = ReturnType<typeof presentTransition>;

/** Converts a transition to the field names of the HTTP API. */
export function presentTransition({ fromState, toState, occurredAt, decision, ...act }: Transition) {
  const { actor, reason, revision } = act;
  const states = { from_state: fromState, to_state: toState, ...(decision && { decision }) };
  return { ...states, actor, occurred_at: timestamp(occurredAt), reason, revision };
}

/** Why something was done, with what was decided: `Rejected: off topic`. */
export function whyOf({ to_state, decision = '', reason = '' }: Partial<TransitionView>): string {
  const words = [outcomeOf(decision), reason];
  return (to_state === 'undone' ? words.reverse() : words).filter((each) => each !== '').join(': ');
}

/** Formats the history and the mails as tables; an empty text if there are none. */
export function formatHistory(
  history: readonly TransitionView[],
  paint: Paint,
  mails: readonly MailView[] = [],
): string {
  const parts: string[] = [];
  if (history.length > 0)
    parts.push(`History (UTC)\n${formatTable(history, historyColumns(paint.width !== undefined), paint.width)}`);
  if (mails.length > 0) parts.push(`Mails\n${formatTable(mails, mailColumns, paint.width)}`);
  return parts.map((part) => `\n\n${part}`).join('');
}

function historyColumns(short: boolean): Columns<TransitionView> {
  return {
    when: 'occurred_at',
    change: ({ from_state, to_state }) => transitionWords(from_state, to_state),
    who: { value: (each) => (short ? withShortId(each.actor) : each.actor), flexible: 16 },
    why: { value: whyOf, neverCut: true },
  };
}

/** What a transition did, with the states of the protocol; an entry that changes no state in words. */
export function transitionWords(from: string, to: string): string {
  return entryWords(from, to) ?? `${from || 'new'} → ${to}`;
}

/** Shortens `token:<uuid>` to, for example, `token:edea416d`. The command `token show` accepts this form. */
function withShortId(actor: string) {
  return actor.replace(/^(token:[0-9a-f]{8})-[0-9a-f-]{27}$/, '$1');
}

const mailColumns: Columns<MailView> = {
  mail: 'purpose',
  ...stateColumn,
  tries: 'attempts',
  'sent, UTC': 'sent_at',
  'the mail server': { value: 'response', flexible: 16 },
};
