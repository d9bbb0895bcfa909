import { type Clock, within } from '../deadline.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import type { Span } from '../telemetry/tracing.js';
import type { MailClaim, OutboxStore } from './outbox.js';

/**
 * The result of an attempt. `held` means that an operator must repair something; after `refused` and `unknown` the mail
 * is not tried again.
 */
export type AttemptResult = (typeof results)[number];
const results = ['sent', 'postponed', 'held', 'refused', 'unknown', 'cancelled'] as const;

/** Measures attempts, and the number and age of waiting mails. Every replica reports the same waiting mails. */
export function watchMails({ metrics, tracing }: Telemetry, store: Pick<OutboxStore<never>, 'backlog'>, now: Clock) {
  const attempts = metrics.counter({
    name: 'knowledge_mail_attempts_total',
    help: 'Attempts to send a mail, by purpose and result; a held one waits for an operator, a refused one ends',
    labels: ['purpose', 'result'],
  });
  const purposes = new Set<string>();
  // An alert on an increase would miss the first failure, if the counter began with it.
  const beginCounters = (purpose: string) => {
    if (purposes.has(purpose)) return;
    purposes.add(purpose);
    for (const result of results) attempts.inc({ purpose, result }, 0);
  };
  const backlog = cachedForOneSecond(() => within(readLimitMs, (signal) => store.backlog(signal)));
  const age = (since: Date | undefined) =>
    since === undefined ? 0 : Math.max(0, (now().getTime() - since.getTime()) / 1000);
  metrics.read(
    { name: 'knowledge_outbox_depth', help: 'Mails that are not sent yet, counted up to 10,000' },
    async () => {
      return (await backlog()).pending;
    },
  );
  metrics.read(
    { name: 'knowledge_outbox_held', help: 'Mails that the mail server refuses until an operator repairs something' },
    async () => (await backlog()).held,
  );
  metrics.read(
    { name: 'knowledge_outbox_oldest_seconds', help: 'Age in seconds of the oldest mail that is not sent yet' },
    async () => age((await backlog()).recordedAt),
  );
  metrics.read(
    { name: 'knowledge_outbox_overdue_seconds', help: 'Seconds since the most overdue mail should have been tried' },
    async () => age((await backlog()).dueAt),
  );
  return {
    /**
     * Starts the span of an attempt. It belongs to the trace of the request that caused the mail, if
     * that is recorded.
     */
    begin({ mail }: MailClaim<unknown>) {
      beginCounters(mail.purpose);
      return tracing.begin('SMTP send', mail.traceparent, {
        kind: 'client',
        attributes: { 'network.protocol.name': 'smtp', 'knowledge.mail.purpose': mail.purpose },
      });
    },
    done({ mail: { purpose } }: MailClaim<unknown>, result: AttemptResult, span: Span | undefined) {
      attempts.inc({ purpose, result });
      const failure = result === 'sent' || result === 'cancelled' ? undefined : result;
      span?.end({ attributes: { 'knowledge.mail.result': result }, failure });
    },
  };
}

const readLimitMs = 2000;
const goodForMs = 1000;

// The gauges show one backlog, so one query serves them all.
function cachedForOneSecond<T>(read: () => Promise<T>) {
  let readAt = Number.NEGATIVE_INFINITY;
  let value: Promise<T> | undefined;
  return () => {
    if (value === undefined || performance.now() - readAt > goodForMs) {
      readAt = performance.now();
      value = read();
    }
    return value;
  };
}
