import { type Clock, mailboxOf, type Operator, publicUrls, type Site, workerContext } from '@knowledge/runtime';
import {
  type Backlog,
  type ComposeMail,
  createSmtpTransport,
  type MailClaim,
  type MailContent,
  Outbox,
  type OutboxStore,
} from '@knowledge/runtime/mail';
import type { ServiceBase } from '@knowledge/runtime/service';
import type { IdentityConfig } from '../config.js';
import { type Authorization, endTransitionOf, stateAt } from '../domain/authorization.js';
import { type AccessKey, newMailedCode, newOpenKey } from '../domain/mailed-code.js';
import { newSecretCode } from '../domain/secret.js';
import { accessMail, blockedMail, endedMail, linkMail, type OwnLink } from '../mail/access-mails.js';
import { confirmationMail } from '../mail/confirmation-mail.js';
import type { Stores } from '../store/open-stores.js';
import { renewedUntil } from '../store/tokens.js';

/** Starts the outbox. It starts even if the mail server is down. `wake` looks for new mails at once. */
export function startMails(
  { config, clock, log, telemetry }: ServiceBase<IdentityConfig>,
  stores: Stores,
  operator: Operator,
) {
  const parts = { ...stores, baseUrls: publicUrls(config), codeLifeMinutes: config.CODE_TTL_MINUTES, clock };
  const store = joinOutboxes(stores.mails, stores.keys);
  const outbox = new Outbox({
    store,
    compose: joinComposers(composeMails(parts), composeLinkMails(parts)),
    transport: createSmtpTransport(config, operator.contact.email),
    operator,
    log,
    telemetry,
    now: clock,
  });
  return { wake: () => outbox.wake(), store, closables: [outbox] };
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

function earlier(one: Date | undefined, other: Date | undefined) {
  if (one === undefined || other === undefined) return one ?? other;
  return one < other ? one : other;
}

interface ComposeParts extends Stores {
  baseUrls: BaseUrls;
  codeLifeMinutes: number;
  clock: Clock;
}

type BaseUrls = Readonly<Record<Site, string>>;

/**
 * Composes the mails about authorizations. Each attempt gets a new code or key, and the hash is stored before the mail
 * is sent. So no code is ever stored in clear text, and if a mail arrives twice, both links work.
 */
function composeMails(parts: ComposeParts): ComposeMail<Authorization> {
  const { mails, keys, tokens, authorizations, blocks, baseUrls, codeLifeMinutes, clock } = parts;
  const confirmation: Composer = async (claim, signal) => {
    const { owner, mail } = claim;
    const now = clock();
    const call = workerContext(signal, now);
    if (stateAt(owner, now) !== 'pending' || (await blocks.refuse(owner, call))) return undefined;
    const { code, kept } = newMailedCode(owner, mail);
    if (!(await mails.addCode(claim, kept, signal))) return undefined;
    const link = linkTo(baseUrls[owner.site], '/api/v1/agent/authorize/confirm', 'code', code);
    const [until, earlier] = await Promise.all([
      renewedUntil(owner, tokens, call),
      authorizations.decisions(mailboxOf(owner.email), call),
    ]);
    return confirmationMail(owner, { link, lifeMinutes: codeLifeMinutes, renewedUntil: until, earlier });
  };

  const ownLink = async ({ owner: { email, site } }: Claim, signal: AbortSignal): Promise<OwnLink> => {
    const { key, code } = newOpenKey(email, site, clock());
    await keys.insert(key, workerContext(signal, clock()));
    return { url: linkTo(baseUrls[site], '/access', 'key', code), until: key.purgeAt };
  };

  const access: Composer = async (claim, signal) => {
    const state = stateAt(claim.owner, clock());
    if (state !== 'confirmed' && state !== 'issued') return undefined;
    return accessMail(claim.owner, await ownLink(claim, signal));
  };

  const ended: Composer = async (claim, signal) => {
    const end = endTransitionOf(claim.owner);
    return end && endedMail(claim.owner, end, await ownLink(claim, signal));
  };

  const composers: Readonly<Record<string, Composer>> = { confirmation, welcome: access, issued: access, ended };
  return async (claim, signal) => {
    const content = await composers[claim.mail.purpose]?.(claim, signal);
    return content && { ...content, to: claim.owner.email };
  };
}

/** Composes the mails with a link to the access page that belong to no authorization. */
function composeLinkMails({ keys, blocks, tokens, baseUrls, clock }: ComposeParts): ComposeMail<AccessKey> {
  return async (claim, signal) => {
    const { id, email, site, purgeAt: until } = claim.owner;
    const call = workerContext(signal, clock());
    const { purpose } = claim.mail;
    const isBlock = purpose === 'blocked';
    const block = isBlock ? (await blocks.find(mailboxOf(email), call)).staff : undefined;
    if (isBlock && block === undefined) return undefined;
    const { code, hash } = newSecretCode(id);
    if (!(await keys.addHash(claim, hash, signal))) return undefined;
    const link = { url: linkTo(baseUrls[site], '/access', 'key', code), until };
    if (block === undefined) return { ...linkMail(link, purpose), to: email };
    return { ...blockedMail(block, await tokens.someValid(email, call), link), to: email };
  };
}

function linkTo(baseUrl: string, path: string, name: string, value: string) {
  return `${baseUrl.replace(/\/+$/, '')}${path}?${name}=${encodeURIComponent(value)}`;
}

type Claim = MailClaim<Authorization>;
type Composer = (claim: Claim, signal: AbortSignal) => Promise<MailContent | undefined>;
