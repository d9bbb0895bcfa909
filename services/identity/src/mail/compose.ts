import { type Clock, mailboxOf, type Site, workerContext } from '@knowledge/runtime';
import type { ComposeMail, MailClaim, MailContent } from '@knowledge/runtime/mail';
import { type AccessKey, newOpenKey } from '../domain/access-key.js';
import { type Authorization, stateAt } from '../domain/authorization.js';
import { endTransitionOf } from '../domain/end.js';
import { newMailedCode } from '../domain/mailed-code.js';
import { newSecretCode } from '../domain/secret.js';
import type { Stores } from '../store/open-stores.js';
import { renewedUntil } from '../store/tokens.js';
import { accessMail, blockedMail, endedMail, linkMail, type OwnLink } from './access-mails.js';
import { confirmationMail } from './confirmation-mail.js';

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
export function composeMails(deps: ComposeParts): ComposeMail<Authorization> {
  const { mails, keys, tokens, authorizations, baseUrls, codeLifeMinutes, clock } = deps;
  const confirmation: Composer = async (claim, signal) => {
    const { owner, mail } = claim;
    const now = clock();
    if (stateAt(owner, now) !== 'pending') return undefined;
    const { code, kept } = newMailedCode(owner, mail);
    if (!(await mails.addCode(claim, kept, signal))) return undefined;
    const link = linkTo(baseUrls[owner.site], '/api/v1/agent/authorize/confirm', 'code', code);
    const call = workerContext(signal, now);
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
export function composeLinkMails({ keys, blocks, tokens, baseUrls, clock }: ComposeParts): ComposeMail<AccessKey> {
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

function linkTo(baseUrl: string, path: string, name: string, value: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}?${name}=${encodeURIComponent(value)}`;
}

type Claim = MailClaim<Authorization>;
type Composer = (claim: Claim, signal: AbortSignal) => Promise<MailContent | undefined>;
