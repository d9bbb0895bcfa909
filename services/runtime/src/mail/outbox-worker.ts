import { setMaxListeners } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { within } from '../deadline.js';
import { type Loop, startLoop } from '../lifecycle/loop.js';
import type { Telemetry } from '../telemetry/telemetry.js';
import { later } from '../time.js';
import { afterUnknown, Delivery, type DeliveryParts } from './delivery.js';
import type { DeliveryResult, MailClaim, OutboxStore } from './outbox.js';
import { watchMails } from './telemetry.js';

export interface OutboxParts<Owner> extends DeliveryParts<Owner> {
  store: OutboxStore<Owner>;
  /** Measures the attempts and the waiting mails, if set. */
  telemetry?: Telemetry | undefined;
}

export interface OutboxOptions {
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
 * gets no response, after the final dot. Any number of workers may run.
 */
export class Outbox<Owner> {
  /** The number of attempts by result since the start. */
  readonly counts = { sent: 0, postponed: 0, held: 0, refused: 0, unknown: 0, cancelled: 0 };
  private readonly active = new Set<Promise<void>>();
  private readonly quick = new Set<Attempt<Owner>>();
  private readonly cutOff = new AbortController();
  /** The earliest time of the next attempt of a mail that this worker has postponed. */
  private retryAt = Number.POSITIVE_INFINITY;
  private readonly delivery: Delivery<Owner>;
  private readonly watch;
  private readonly options: Required<OutboxOptions>;
  private readonly loop: Loop;

  constructor(
    private readonly parts: OutboxParts<Owner>,
    options: OutboxOptions = {},
  ) {
    this.delivery = new Delivery(parts);
    this.watch = parts.telemetry && watchMails(parts.telemetry, parts.store, this.delivery.now);
    this.options = { concurrency: 4, pollMs: 1000, claimMs: 60_000, beatMs: 5000, ...options };
    setMaxListeners(0, this.cutOff.signal);
    const { pollMs } = this.options;
    this.loop = startLoop({
      name: 'outbox',
      pauseMs: pollMs,
      longestPauseMs: pollMs * 5,
      roundLimitMs: claimLimitMs,
      closeLimitMs: claimLimitMs,
      round: (signal) => this.round(signal),
      log: parts.log,
    });
  }

  /** Looks for due mails at once. Call it after storing a new mail. */
  wake(): void {
    this.loop.kick();
  }

  /** Claims no more mails and waits for the running attempts. After 8 s it aborts them. */
  async close(): Promise<void> {
    const limit = setTimeout(() => this.cutOff.abort(new Error('The outbox is closing.')), closeLimitMs);
    await this.loop.close();
    await Promise.all(this.active);
    clearTimeout(limit);
  }

  /** Begins to deliver one mail. Returns whether there was one, or the time until the next that this worker knows. */
  private async round(signal: AbortSignal) {
    const { concurrency, claimMs, beatMs } = this.options;
    if (this.quick.size >= concurrency || this.active.size >= mostAttempts) return false;
    const at = this.delivery.now();
    if (this.retryAt <= at.getTime()) this.retryAt = Number.POSITIVE_INFINITY;
    const claim = await this.parts.store.claim(at, later(at, claimMs), signal);
    if (claim === undefined) return Math.max(this.retryAt - this.delivery.now().getTime(), 0);
    const attempt: Attempt<Owner> = { claim, end: new AbortController(), handedOver: false };
    const beats = setInterval(() => {
      attempt.beating = this.beat(attempt);
    }, beatMs);
    this.quick.add(attempt);
    const task = this.deliver(attempt, () => clearInterval(beats)).finally(() => {
      this.active.delete(task);
      this.quick.delete(attempt);
      this.wake();
    });
    this.active.add(task);
    return true;
  }

  /** Extends the claim of a slow attempt and lets other mails go on. It ends the attempt if too many are slow. */
  private async beat(attempt: Attempt<Owner>): Promise<void> {
    const { claimMs, beatMs } = this.options;
    const { store, log } = this.parts;
    const { claim, end, handedOver } = attempt;
    if (this.quick.delete(attempt)) {
      this.wake();
      const isTooMany = this.active.size - this.quick.size > mostSlow;
      if (isTooMany && !handedOver) end.abort(new Error('Too many mails were slow.'));
    }
    // Once the dot has left, a worker that dies must not make the next one send the mail at once.
    const next = this.delivery.postponed(handedOver ? afterUnknown(claim) : { delayMs: claimMs });
    const extend = (signal: AbortSignal) => store.recordResult(claim, next, signal);
    try {
      if (!(await within(beatMs, extend, this.cutOff.signal))) end.abort(new Error('The claim is lost.'));
    } catch (error) {
      log.warn({ err: error, mail: claim.mail.id }, 'the claim of a mail could not be extended');
    }
  }

  private async deliver(attempt: Attempt<Owner>, stopBeats: () => void): Promise<void> {
    const { claim, end } = attempt;
    const { watch } = this;
    const { telemetry } = this.parts;
    const span = watch?.begin(claim);
    const onCutOff = () => end.abort(this.cutOff.signal.reason);
    this.cutOff.signal.addEventListener('abort', onCutOff, { once: true });
    const onHandOver = () => {
      attempt.handedOver = true;
    };
    const send = () => this.delivery.attempt(claim, { signal: end.signal, onHandOver });
    const settlement = await (span && telemetry ? telemetry.tracing.within(span, send) : send());
    this.cutOff.signal.removeEventListener('abort', onCutOff);
    stopBeats();
    await attempt.beating;
    const held = settlement.state === 'pending' && settlement.failure?.kind === 'held';
    const result = held ? 'held' : settlement.state === 'pending' ? 'postponed' : settlement.state;
    this.counts[result]++;
    watch?.done(claim, result, span);
    await this.recordResult(claim, settlement, this.delivery.now().getTime() + this.options.claimMs - 5000);
    if (settlement.dueAt !== undefined) this.retryAt = Math.min(this.retryAt, settlement.dueAt.getTime());
  }

  // Storing is retried while the claim lasts, because a mail without a stored result would be sent again.
  private async recordResult(claim: MailClaim<Owner>, settlement: DeliveryResult, claimEnd: number) {
    const { store, log } = this.parts;
    const { id: mail, purpose } = claim.mail;
    const record = (signal: AbortSignal) => store.recordResult(claim, settlement, signal);
    for (;;) {
      try {
        const written = await within(3000, record, this.cutOff.signal);
        if (!written) log.info({ mail, purpose }, 'another worker has claimed the mail meanwhile');
        return;
      } catch (error) {
        if (this.cutOff.signal.aborted || this.delivery.now().getTime() > claimEnd) {
          log.error({ err: error, mail }, 'the result of a mail could not be stored; the mail will be tried again');
          return;
        }
        await pause(500);
      }
    }
  }
}
