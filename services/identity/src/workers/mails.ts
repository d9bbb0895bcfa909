import { type Operator, publicUrls } from '@knowledge/runtime';
import {
  type Backlog,
  type ComposeMail,
  createSmtpTransport,
  type MailClaim,
  type OutboxStore,
  startOutbox,
} from '@knowledge/runtime/mail';
import type { ServiceBase } from '@knowledge/runtime/service';
import type { IdentityConfig } from '../config.js';
import type { AccessKey } from '../domain/access-key.js';
import type { Authorization } from '../domain/authorization.js';
import { composeLinkMails, composeMails } from '../mail/compose.js';
import type { Stores } from '../store/open-stores.js';

/** Starts the outbox. It starts even if the mail server is down. `wake` looks for new mails at once. */
export function startMails(
  { config, clock, log, telemetry }: ServiceBase<IdentityConfig>,
  stores: Stores,
  operator: Operator,
) {
  const parts = { ...stores, baseUrls: publicUrls(config), codeLifeMinutes: config.CODE_TTL_MINUTES, clock };
  const store = joinOutboxes(stores.mails, stores.keys);
  const outbox = startOutbox({
    store,
    compose: joinComposers(composeMails(parts), composeLinkMails(parts)),
    transport: createSmtpTransport(config, operator.contact.email),
    operator,
    log,
    telemetry,
    now: clock,
  });
  return { wake: outbox.wake, store, closables: [outbox] };
}

type Owner = Authorization | AccessKey;

/** Combines two outboxes for one worker. Claims begin with each outbox in turn. */
function joinOutboxes(requests: OutboxStore<Authorization>, keys: OutboxStore<AccessKey>): OutboxStore<Owner> {
  let keysFirst = false;
  return {
    claim: async (now, claimedUntil, signal) => {
      keysFirst = !keysFirst;
      const [first, second] = keysFirst ? [keys, requests] : [requests, keys];
      return (await first.claim(now, claimedUntil, signal)) ?? second.claim(now, claimedUntil, signal);
    },
    recordResult: (claim, settlement, signal) =>
      ofKey(claim)
        ? keys.recordResult(claim, settlement, signal)
        : requests.recordResult(claim as MailClaim<Authorization>, settlement, signal),
    failed: async (signal) => [...(await requests.failed(signal)), ...(await keys.failed(signal))],
    sendAgain: async (...sent) => (await requests.sendAgain(...sent)) ?? keys.sendAgain(...sent),
    backlog: async (signal) => sum(await requests.backlog(signal), await keys.backlog(signal)),
  };
}

/** Combines two composers. A mail is composed by the composer of its outbox. */
function joinComposers(requests: ComposeMail<Authorization>, keys: ComposeMail<AccessKey>): ComposeMail<Owner> {
  return (claim, signal) => (ofKey(claim) ? keys(claim, signal) : requests(claim as MailClaim<Authorization>, signal));
}

function ofKey(claim: MailClaim<Owner>): claim is MailClaim<AccessKey> {
  return 'hashes' in claim.owner;
}

function sum(one: Backlog, other: Backlog): Backlog {
  return {
    pending: one.pending + other.pending,
    held: one.held + other.held,
    recordedAt: earlier(one.recordedAt, other.recordedAt),
    dueAt: earlier(one.dueAt, other.dueAt),
  };
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
