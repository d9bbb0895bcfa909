import type { Backlog, ComposeMail, MailClaim, OutboxStore } from '@knowledge/runtime/mail';
import type { AccessKey } from '../domain/access-key.js';
import type { Authorization } from '../domain/authorization.js';

type Owner = Authorization | AccessKey;

/** Combines two outboxes for one worker. Claims begin with each outbox in turn. */
export function joinOutboxes(requests: OutboxStore<Authorization>, keys: OutboxStore<AccessKey>): OutboxStore<Owner> {
  let keysFirst = false;
  return {
    claim: async (now, claimedUntil, signal) => {
      keysFirst = !keysFirst;
      const turns = keysFirst ? [keys, requests] : [requests, keys];
      for (const store of turns) {
        const claim = await store.claim(now, claimedUntil, signal);
        if (claim !== undefined) return claim;
      }
      return undefined;
    },
    recordResult: (claim, settlement, signal) =>
      ofKey(claim)
        ? keys.recordResult(claim, settlement, signal)
        : requests.recordResult(ofRequest(claim), settlement, signal),
    backlog: async (signal) => sum(await requests.backlog(signal), await keys.backlog(signal)),
  };
}

/** Combines two composers. A mail is composed by the composer of its outbox. */
export function joinComposers(requests: ComposeMail<Authorization>, keys: ComposeMail<AccessKey>): ComposeMail<Owner> {
  return (claim, signal) => (ofKey(claim) ? keys(claim, signal) : requests(ofRequest(claim), signal));
}

function ofKey(claim: MailClaim<Owner>): claim is MailClaim<AccessKey> {
  return 'hashes' in claim.owner;
}

function ofRequest({ owner, mail }: MailClaim<Owner>): MailClaim<Authorization> {
  return { owner: owner as Authorization, mail };
}

function sum(one: Backlog, other: Backlog): Backlog {
  return {
    pending: one.pending + other.pending,
    recordedAt: earlier(one.recordedAt, other.recordedAt),
    dueAt: earlier(one.dueAt, other.dueAt),
  };
}

function earlier(one: Date | undefined, other: Date | undefined): Date | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}
