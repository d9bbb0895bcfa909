import { deadlineIn, deadlineSignal } from '../deadline.js';
import { startLoop } from '../lifecycle/loop.js';
import type { Logger } from '../log/logger.js';
import type { Operator } from '../operator/operator.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { deferredDelayMs, giveUpAfterMs, unreachableDelayMs } from './backoff.js';
import type { MailTransport, SendOutcome } from './message.js';
import type { ComposeMail, DeliveryResult, MailClaim, OutboxStore } from './outbox.js';
import { watchMails } from './telemetry.js';

export interface OutboxOptions<Owner> {
  store: OutboxStore<Owner>;
  compose: ComposeMail<Owner>;
  transport: MailTransport;
  /** The footer of every mail names this operator. */
  operator: Operator;
  log: Logger;
  /** Measures the attempts and the waiting mails, if set. */
  telemetry?: Telemetry | undefined;
  /** The number of mails that are sent at the same time (default 4). */
  concurrency?: number;
  /**
   * The first pause when no mail is due (default 1 s). Pauses grow to five times that while no mail comes. `wake` ends
   * them early, and so does the time of a mail that this worker has postponed.
   */
  pollMs?: number;
  /** The duration of a claim. Composing, sending and storing the result must take less (default 60 s). */
  claimMs?: number;
  now?: () => Date;
}

export interface Outbox {
  /** Looks for due mails at once. Call it after storing a new mail. */
  wake(): void;
  /** The number of attempts by result since the start. `refused` counts mails that will never arrive. */
  readonly counts: Readonly<Record<'sent' | 'postponed' | 'refused' | 'cancelled', number>>;
  /** Claims no more mails and waits for the running attempts. After 8 s it aborts them. */
  close(): Promise<void>;
}

const closeLimitMs = 8000;

/** The longest time that claiming a mail may take. */
const claimLimitMs = 5000;

/**
 * Sends the mails of a store, each at least once (SECURITY.md#mail). A mail is sent twice only if a worker dies after
 * the server's response and before storing it. Any number of workers may run. No log line shows an address or a text.
 */
export function startOutbox<Owner>(options: OutboxOptions<Owner>): Outbox {
  const { store, compose, transport, operator, log, concurrency = 4, pollMs = 1000, claimMs = 60_000 } = options;
  const now = options.now ?? (() => new Date());
  const { telemetry } = options;
  const watch = telemetry && watchMails(telemetry, store, now);
  const counts = { sent: 0, postponed: 0, refused: 0, cancelled: 0 };
  const active = new Set<Promise<void>>();
  const cutOff = new AbortController();
  /** The earliest time of the next attempt of a mail that this worker has postponed. */
  let retryAt = Number.POSITIVE_INFINITY;

  /** Begins to deliver one mail. Returns whether there was one, or the time until the next that this worker knows. */
  const round = async (signal: AbortSignal): Promise<boolean | number> => {
    const at = now();
    if (retryAt <= at.getTime()) retryAt = Number.POSITIVE_INFINITY;
    const claim = await store.claim(at, new Date(at.getTime() + claimMs), signal);
    if (claim === undefined) return Math.max(retryAt - now().getTime(), 0);
    const task = deliver(claim).finally(() => active.delete(task));
    active.add(task);
    if (active.size >= concurrency) await Promise.race(active);
    return true;
  };

  const deliver = async (claim: MailClaim<Owner>): Promise<void> => {
    const claimEnd = now().getTime() + claimMs - 5000;
    const span = watch?.begin(claim);
    const settlement = await (span && telemetry
      ? telemetry.tracing.within(span, () => attempt(claim))
      : attempt(claim));
    const result = settlement.state === 'pending' ? 'postponed' : settlement.state;
    counts[result]++;
    watch?.done(claim, result, span);
    await recordResult(claim, settlement, claimEnd);
    if (settlement.state !== 'pending') return;
    retryAt = Math.min(retryAt, settlement.dueAt.getTime());
    loop.kick();
  };

  const attempt = async (claim: MailClaim<Owner>): Promise<DeliveryResult> => {
    const { mail } = claim;
    const facts = { mail: mail.id, purpose: mail.purpose, attempt: mail.attempts };
    if (now().getTime() - mail.recordedAt.getTime() > giveUpAfterMs) {
      log.warn(
        { ...facts, refused: counts.refused + 1 },
        `a mail could not be delivered within ${giveUpAfterMs / 3_600_000} hours; it is not tried again`,
      );
      return { state: 'refused', at: now() };
    }
    const limit = deadlineSignal(deadlineIn(10_000), cutOff.signal);
    try {
      const message = await compose(claim, limit.signal);
      if (message === undefined) return { state: 'cancelled', at: now() };
      limit.clear();
      const outcome = await transport.send(
        { ...message.signedBy(operator), to: message.to, id: mail.id },
        cutOff.signal,
      );
      return decide(outcome, claim, facts);
    } catch (error) {
      log.error({ ...facts, err: error }, 'a mail could not be composed');
      return postponed(deferredDelayMs(mail.attempts), false);
    } finally {
      limit.clear();
    }
  };

  const decide = (outcome: SendOutcome, { mail }: MailClaim<Owner>, facts: object): DeliveryResult => {
    switch (outcome.kind) {
      case 'accepted':
        log.info(facts, 'a mail is sent');
        return { state: 'sent', at: now() };
      case 'refused':
        log.warn(
          { ...facts, response: outcome.responseCode, refused: counts.refused + 1 },
          'the mail server refused a mail for good; it is not tried again',
        );
        return { state: 'refused', at: now() };
      case 'deferred':
        log.info({ ...facts, response: outcome.responseCode }, 'the mail server deferred a mail; trying again later');
        return postponed(deferredDelayMs(mail.attempts), outcome.handedOver);
      case 'unreachable':
        log.warn({ ...facts, reason: outcome.reason }, 'the mail server does not answer');
        return postponed(unreachableDelayMs(mail.attempts), false);
      case 'unknown':
        log.warn({ ...facts, reason: outcome.reason }, 'a mail may have been sent; sending it again');
        return postponed(unreachableDelayMs(mail.attempts), true);
    }
  };

  const postponed = (delayMs: number, mayBeSent: boolean): DeliveryResult => ({
    state: 'pending',
    dueAt: new Date(now().getTime() + delayMs),
    mayBeSent,
  });

  // Storing is retried while the claim lasts, because a mail without a stored result would be sent again.
  const recordResult = async (claim: MailClaim<Owner>, settlement: DeliveryResult, claimEnd: number): Promise<void> => {
    for (;;) {
      const limit = deadlineSignal(deadlineIn(3000), cutOff.signal);
      try {
        const written = await store.recordResult(claim, settlement, limit.signal);
        if (!written)
          log.info(
            { mail: claim.mail.id, purpose: claim.mail.purpose },
            'another worker has claimed the mail meanwhile',
          );
        return;
      } catch (error) {
        if (cutOff.signal.aborted || now().getTime() > claimEnd) {
          log.error(
            { err: error, mail: claim.mail.id },
            'the result of a mail could not be stored; the mail will be tried again',
          );
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 500));
      } finally {
        limit.clear();
      }
    }
  };

  const loop = startLoop({
    name: 'outbox',
    pauseMs: pollMs,
    longestPauseMs: pollMs * 5,
    roundLimitMs: claimLimitMs,
    closeLimitMs: claimLimitMs,
    round,
    log,
  });
  return {
    counts,
    wake: () => loop.kick(),
    close: async () => {
      const limit = setTimeout(() => cutOff.abort(new Error('The outbox is closing.')), closeLimitMs);
      await loop.close();
      await Promise.all(active);
      clearTimeout(limit);
    },
  };
}
