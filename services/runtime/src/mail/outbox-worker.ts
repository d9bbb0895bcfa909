import { setMaxListeners } from 'node:events';
import { deadlineIn, deadlineSignal } from '../deadline.js';
import { startLoop } from '../lifecycle/loop.js';
import type { Logger } from '../log/logger.js';
import type { Operator } from '../operator/operator.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import {
  type ComposeMail,
  type DeliveryResult,
  giveUpAfterMs,
  type MailClaim,
  type MailMessage,
  type MailTransport,
  mostCopies,
  type OutboxStore,
  retryDelayMs,
  type SendOutcome,
  type StoredFailure,
} from './outbox.js';
import { type AttemptResult, watchMails } from './telemetry.js';

export interface OutboxOptions<Owner> {
  store: OutboxStore<Owner>;
  compose: ComposeMail<Owner>;
  transport: MailTransport;
  /** The footer of every mail names this operator. */
  operator: Operator;
  log: Logger;
  /** Measures the attempts and the waiting mails, if set. */
  telemetry?: Telemetry | undefined;
  /** The number of mails that are sent at the same time (default 4), besides those with a slow server. */
  concurrency?: number;
  /**
   * The first pause when no mail is due (default 1 s). Pauses grow to five times that while no mail comes. `wake` ends
   * them early, and so does the time of a mail that this worker has postponed.
   */
  pollMs?: number;
  /** The duration of a claim (default 60 s). An attempt that takes longer extends it. */
  claimMs?: number;
  /** How often an attempt extends its claim. From then on it counts as slow (default 5 s). */
  beatMs?: number;
  now?: () => Date;
}

export interface Outbox {
  /** Looks for due mails at once. Call it after storing a new mail. */
  wake(): void;
  /** The number of attempts by result since the start. */
  readonly counts: Readonly<Record<AttemptResult, number>>;
  /** Claims no more mails and waits for the running attempts. After 8 s it aborts them. */
  close(): Promise<void>;
}

const closeLimitMs = 8000;

/** The longest time that claiming a mail may take. */
const claimLimitMs = 5000;

/** The number of slow attempts that may wait for the mail server while the other mails go on. */
const mostSlow = 16;

/** The number of all attempts at the same time. Only those whose final dot has left may be more than `mostSlow`. */
const mostAttempts = 64;

interface Attempt<Owner> {
  readonly claim: MailClaim<Owner>;
  /** Aborts the attempt. */
  readonly end: AbortController;
  handedOver: boolean;
  /** The running extension of the claim. */
  beating?: Promise<void>;
}

/**
 * Sends the mails of a store, each at least once (SECURITY.md#mail). A mail is sent twice only if its worker dies, or
 * gets no response, after the final dot. Any number of workers may run. No log line shows an address or a text.
 */
export function startOutbox<Owner>(options: OutboxOptions<Owner>): Outbox {
  const { store, compose, transport, operator, log, concurrency = 4, pollMs = 1000 } = options;
  const { claimMs = 60_000, beatMs = 5000, telemetry } = options;
  const now = options.now ?? (() => new Date());
  const watch = telemetry && watchMails(telemetry, store, now);
  const counts = { sent: 0, postponed: 0, held: 0, refused: 0, unknown: 0, cancelled: 0 };
  const active = new Set<Promise<void>>();
  const quick = new Set<Attempt<Owner>>();
  const cutOff = new AbortController();
  setMaxListeners(0, cutOff.signal);
  /** The earliest time of the next attempt of a mail that this worker has postponed. */
  let retryAt = Number.POSITIVE_INFINITY;

  /** Begins to deliver one mail. Returns whether there was one, or the time until the next that this worker knows. */
  const round = async (signal: AbortSignal) => {
    if (quick.size >= concurrency || active.size >= mostAttempts) return false;
    const at = now();
    if (retryAt <= at.getTime()) retryAt = Number.POSITIVE_INFINITY;
    const claim = await store.claim(at, new Date(at.getTime() + claimMs), signal);
    if (claim === undefined) return Math.max(retryAt - now().getTime(), 0);
    const attempt: Attempt<Owner> = { claim, end: new AbortController(), handedOver: false };
    const beats = setInterval(() => {
      attempt.beating = beat(attempt);
    }, beatMs);
    quick.add(attempt);
    const task = deliver(attempt, () => clearInterval(beats)).finally(() => {
      active.delete(task);
      quick.delete(attempt);
      loop.kick();
    });
    active.add(task);
    return true;
  };

  /** Extends the claim of a slow attempt and lets other mails go on. It ends the attempt if too many are slow. */
  const beat = async (attempt: Attempt<Owner>): Promise<void> => {
    const { claim, end, handedOver } = attempt;
    if (quick.delete(attempt)) {
      loop.kick();
      if (active.size - quick.size > mostSlow && !handedOver) end.abort(new Error('Too many mails were slow.'));
    }
    // Once the dot has left, a worker that dies must not make the next one send the mail at once.
    const delay = handedOver ? unknownDelay(claim) : { delayMs: claimMs };
    const limit = deadlineSignal(deadlineIn(beatMs), cutOff.signal);
    try {
      if (!(await store.recordResult(claim, postponed(delay), limit.signal)))
        end.abort(new Error('The claim is lost.'));
    } catch (error) {
      log.warn({ err: error, mail: claim.mail.id }, 'the claim of a mail could not be extended');
    } finally {
      limit.clear();
    }
  };

  const deliver = async (attempt: Attempt<Owner>, stopBeats: () => void): Promise<void> => {
    const { claim } = attempt;
    const span = watch?.begin(claim);
    const onCutOff = () => attempt.end.abort(cutOff.signal.reason);
    cutOff.signal.addEventListener('abort', onCutOff, { once: true });
    const settlement = await (span && telemetry ? telemetry.tracing.within(span, () => send(attempt)) : send(attempt));
    cutOff.signal.removeEventListener('abort', onCutOff);
    stopBeats();
    await attempt.beating;
    const held = settlement.state === 'pending' && settlement.failure?.kind === 'held';
    const result = held ? 'held' : settlement.state === 'pending' ? 'postponed' : settlement.state;
    counts[result]++;
    watch?.done(claim, result, span);
    await recordResult(claim, settlement, now().getTime() + claimMs - 5000);
    if (settlement.dueAt !== undefined) retryAt = Math.min(retryAt, settlement.dueAt.getTime());
  };

  const send = async (attempt: Attempt<Owner>): Promise<DeliveryResult> => {
    const { claim, end } = attempt;
    const { mail } = claim;
    const facts = { mail: mail.id, purpose: mail.purpose, attempt: mail.attempts };
    if ((mail.copies ?? 0) >= mostCopies) return ended('unknown', facts, undefined);
    if (triedMs(claim) > giveUpAfterMs) return ended('refused', facts, mail.failure);
    try {
      const composed = async (): Promise<MailMessage | undefined> => {
        const limit = deadlineSignal(deadlineIn(10_000), end.signal);
        const content = await compose(claim, limit.signal).finally(() => limit.clear());
        return content && { ...content.signedBy(operator), to: content.to, id: mail.id };
      };
      const onHandOver = () => {
        attempt.handedOver = true;
      };
      return decide(await transport.send(composed, { signal: end.signal, onHandOver }), claim, facts);
    } catch (error) {
      log.error({ ...facts, err: error }, 'a mail could not be composed');
      return { ...postponed({ delayMs: retryDelayMs('deferred', triedMs(claim)) }), mayBeSent: false };
    }
  };

  const decide = (outcome: SendOutcome, claim: MailClaim<Owner>, facts: object): DeliveryResult => {
    if (outcome.kind === 'accepted') {
      log.info(facts, 'a mail is sent');
      return { state: 'sent', at: now(), mayBeSent: true };
    }
    if (outcome.kind === 'cancelled') return { state: 'cancelled', at: now(), mayBeSent: false };
    const { kind, handedOver: mayBeSent } = outcome;
    const { stage, code } = outcome.failure;
    const failure = { ...outcome.failure, kind, at: now() };
    if (kind === 'refused') return ended('refused', { ...facts, stage, code }, failure);
    log[kind === 'held' ? 'error' : 'warn']({ ...facts, stage, code }, sayings[kind]);
    if (kind !== 'unknown') {
      const copies = claim.mail.copies ?? 0;
      return { ...postponed({ delayMs: retryDelayMs(kind, triedMs(claim)), copies }), failure, mayBeSent };
    }
    const again = unknownDelay(claim);
    return again.copies < mostCopies ? { ...postponed(again), failure } : ended('unknown', facts, failure);
  };

  const ended = (state: 'refused' | 'unknown', facts: object, failure: StoredFailure | undefined): DeliveryResult => {
    log.warn(facts, `${sayings[state]}; it is not tried again`);
    return { state, at: now(), failure, mayBeSent: state === 'unknown' || failure?.kind === 'unknown' };
  };

  const triedMs = ({ mail: { triedSince } }: MailClaim<Owner>) =>
    triedSince === undefined ? 0 : now().getTime() - triedSince.getTime();

  const unknownDelay = ({ mail: { copies = 0 } }: MailClaim<Owner>) => ({
    copies: copies + 1,
    // The second copy comes after ten minutes, the third after an hour.
    delayMs: retryDelayMs('unknown', copies * 3_600_000),
  });

  const postponed = ({ delayMs, ...copies }: { delayMs: number; copies?: number }): DeliveryResult => ({
    state: 'pending',
    at: now(),
    mayBeSent: true,
    ...copies,
    dueAt: new Date(now().getTime() + delayMs),
  });

  // Storing is retried while the claim lasts, because a mail without a stored result would be sent again.
  const recordResult = async (claim: MailClaim<Owner>, settlement: DeliveryResult, claimEnd: number) => {
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

const sayings = {
  refused: 'a mail was refused for good, or was not accepted within 24 hours',
  held: 'the mail server refuses our mails; they wait until an operator repairs it',
  deferred: 'the mail server deferred a mail; trying again later',
  unreachable: 'the mail server does not answer',
  unknown: 'the mail server did not say whether it accepted a mail',
};
