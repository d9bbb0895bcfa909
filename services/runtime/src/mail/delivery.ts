import { type Clock, within } from '../deadline.js';
import type { Logger } from '../log/logger.js';
import type { Operator } from '../operator/operator.js';
import { later } from '../time.js';
import {
  type ComposeMail,
  type DeliveryResult,
  giveUpAfterMs,
  type MailClaim,
  type MailMessage,
  type MailTransport,
  mostCopies,
  retryDelayMs,
  type SendOptions,
  type SendOutcome,
  type StoredFailure,
} from './outbox.js';

export interface DeliveryParts<Owner> {
  compose: ComposeMail<Owner>;
  transport: MailTransport;
  /** The footer of every mail names this operator. */
  operator: Operator;
  log: Logger;
  now?: Clock;
}

/** Makes one attempt to send a mail after the other, and says what becomes of each mail. No log line shows an address or a text. */
export class Delivery<Owner> {
  readonly now: Clock;

  constructor(private readonly parts: DeliveryParts<Owner>) {
    this.now = parts.now ?? (() => new Date());
  }

  async attempt(claim: MailClaim<Owner>, options: SendOptions & { signal: AbortSignal }): Promise<DeliveryResult> {
    const { compose, transport, operator, log } = this.parts;
    const { mail } = claim;
    const facts = { mail: mail.id, purpose: mail.purpose, attempt: mail.attempts };
    if ((mail.copies ?? 0) >= mostCopies) return this.ended('unknown', facts, undefined);
    if (this.triedMs(claim) > giveUpAfterMs) return this.ended('refused', facts, mail.failure);
    try {
      const composed = async (): Promise<MailMessage | undefined> => {
        const content = await within(10_000, (signal) => compose(claim, signal), options.signal);
        return content && { ...content.signedBy(operator), to: content.to, id: mail.id };
      };
      return this.resultOf(await transport.send(composed, options), claim, facts);
    } catch (error) {
      log.error({ ...facts, err: error }, 'a mail could not be composed');
      return { ...this.postponed({ delayMs: retryDelayMs('deferred', this.triedMs(claim)) }), mayBeSent: false };
    }
  }

  postponed({ delayMs, ...copies }: { delayMs: number; copies?: number }): DeliveryResult {
    const at = this.now();
    return { state: 'pending', at, mayBeSent: true, ...copies, dueAt: later(at, delayMs) };
  }

  private resultOf(outcome: SendOutcome, claim: MailClaim<Owner>, facts: object): DeliveryResult {
    const { log } = this.parts;
    const at = this.now();
    if (outcome.kind === 'accepted') {
      log.info(facts, 'a mail is sent');
      return { state: 'sent', at, mayBeSent: true };
    }
    if (outcome.kind === 'cancelled') return { state: 'cancelled', at, mayBeSent: false };
    const { kind, handedOver: mayBeSent } = outcome;
    const { stage, code: reply } = outcome.failure;
    const failure = { ...outcome.failure, kind, at };
    if (kind === 'refused') return this.ended('refused', { ...facts, stage, reply }, failure);
    log[kind === 'held' ? 'error' : 'warn']({ ...facts, stage, reply }, sayings[kind]);
    if (kind !== 'unknown') {
      const copies = claim.mail.copies ?? 0;
      return { ...this.postponed({ delayMs: retryDelayMs(kind, this.triedMs(claim)), copies }), failure, mayBeSent };
    }
    const again = afterUnknown(claim);
    return again.copies < mostCopies ? { ...this.postponed(again), failure } : this.ended('unknown', facts, failure);
  }

  private ended(state: 'refused' | 'unknown', facts: object, failure: StoredFailure | undefined): DeliveryResult {
    this.parts.log.warn(facts, `${sayings[state]}; it is not tried again`);
    return { state, at: this.now(), failure, mayBeSent: state === 'unknown' || failure?.kind === 'unknown' };
  }

  private triedMs({ mail: { triedSince } }: MailClaim<Owner>) {
    return triedSince === undefined ? 0 : this.now().getTime() - triedSince.getTime();
  }
}

/** When a mail is sent again that may have been accepted. The second copy comes after ten minutes, the third after an hour. */
export function afterUnknown({ mail: { copies = 0 } }: MailClaim<unknown>) {
  return { copies: copies + 1, delayMs: retryDelayMs('unknown', copies * 3_600_000) };
}

const sayings = {
  refused: 'a mail was refused for good, or was not accepted within 24 hours',
  held: 'the mail server refuses our mails; they wait until an operator repairs it',
  deferred: 'the mail server deferred a mail; trying again later',
  unreachable: 'the mail server does not answer',
  unknown: 'the mail server did not say whether it accepted a mail',
};
