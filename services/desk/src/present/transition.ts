import type { MailDelivery, Transition } from '@knowledge/proto/knowledge/common/v1/common';
import type { Column } from '../print/table.js';
import { formatTable } from '../print/table.js';
import { readableTime, timestamp } from '../print/time.js';

/** One change of state, field names as everywhere in the API. */
export function presentTransition({ fromState, toState, actor, occurredAt, reason, revision }: Transition) {
  return { from_state: fromState, to_state: toState, actor, occurred_at: timestamp(occurredAt), reason, revision };
}

/** What became of a mail. */
export function presentMail({ purpose, state, attempts, sentAt }: MailDelivery) {
  return { purpose, state, attempts, sent_at: timestamp(sentAt) };
}

/** The history and the mails of a thing below its facts; nothing where there are none. */
export function formatHistory(
  history: readonly ReturnType<typeof presentTransition>[],
  mails: readonly ReturnType<typeof presentMail>[] = [],
): string {
  const parts: string[] = [];
  if (history.length > 0) parts.push(`History (UTC)\n${formatTable(history, historyColumns, undefined)}`);
  if (mails.length > 0) parts.push(`Mails\n${formatTable(mails, mailColumns, undefined)}`);
  return parts.map((part) => `\n\n${part}`).join('');
}

const historyColumns: readonly Column<ReturnType<typeof presentTransition>>[] = [
  { header: 'when', value: (each) => readableTime(each.occurred_at) },
  { header: 'change', value: (each) => `${each.from_state || 'new'} → ${each.to_state}` },
  { header: 'who', value: (each) => each.actor },
  { header: 'why', value: (each) => each.reason },
];

const mailColumns: readonly Column<ReturnType<typeof presentMail>>[] = [
  { header: 'mail', value: (each) => each.purpose },
  { header: 'state', value: (each) => each.state, state: true },
  { header: 'tries', value: (each) => each.attempts, right: true },
  { header: 'sent, UTC', value: (each) => readableTime(each.sent_at) },
];
