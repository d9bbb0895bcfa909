import { type Clock, type Site, workerContext } from '@knowledge/runtime';
import type { ComposeMail, MailClaim, MailContent } from '@knowledge/runtime/mail';
import type { AccessKey } from '../domain/access-key.js';
import { type Authorization, stateAt } from '../domain/authorization.js';
import { endOf } from '../domain/end.js';
import { newMailedCode } from '../domain/mailed-code.js';
import { makeSecret } from '../domain/secret.js';
import type { AccessKeyStore } from '../store/access-keys.js';
import type { MailStore } from '../store/mails.js';
import { renewedUntil } from '../store/renewed-until.js';
import type { TokenStore } from '../store/tokens.js';
import { accessMail } from './access-mail.js';
import { confirmationMail } from './confirmation-mail.js';
import { endedMail } from './ended-mail.js';
import { linkMail } from './link-mail.js';

/** What the mails need to know. */
export interface ComposeDeps {
  mails: MailStore;
  tokens: Pick<TokenStore, 'validOf'>;
  baseUrls: BaseUrls;
  codeLifeMinutes: number;
  clock: Clock;
}

/** The base URL of each site. */
type BaseUrls = Readonly<Record<Site, string>>;

/**
 * Composes the mails of requests. Every attempt has a code or a key of its own, whose hash is noted before the mail leaves;
 * so nothing that was mailed is ever kept, and of two mails each works.
 */
export function composeMails(deps: ComposeDeps): ComposeMail<Authorization> {
  const { mails, tokens, baseUrls, codeLifeMinutes, clock } = deps;
  const confirmation: Composer = async (claim, signal) => {
    const { owner, mail } = claim;
    const now = clock();
    if (stateAt(owner, now) !== 'pending') return undefined;
    const { code, kept } = newMailedCode(owner, mail, new Date(now.getTime() + codeLifeMinutes * 60_000));
    if (!(await mails.addCode(claim, kept, signal))) return undefined;
    const link = linkTo(baseUrls[owner.site], '/api/v1/agent/authorize/confirm', 'code', code);
    const until = await renewedUntil(owner, tokens, workerContext(signal, now));
    return confirmationMail(owner, { link, lifeMinutes: codeLifeMinutes, renewedUntil: until });
  };

  const ownLink = async (claim: Claim, signal: AbortSignal): Promise<string | undefined> => {
    const { code, hash } = makeSecret(claim.owner.id);
    if (!(await mails.addAccessKey(claim, hash, signal))) return undefined;
    return linkTo(baseUrls[claim.owner.site], '/access', 'key', code);
  };

  const access: Composer = async (claim, signal) => {
    const state = stateAt(claim.owner, clock());
    if (state !== 'confirmed' && state !== 'issued') return undefined;
    const link = await ownLink(claim, signal);
    return link === undefined ? undefined : accessMail(claim.owner, link);
  };

  const ended: Composer = async (claim, signal) => {
    const end = endOf(claim.owner);
    const link = end && (await ownLink(claim, signal));
    return end && link !== undefined ? endedMail(claim.owner, end, link) : undefined;
  };

  const composers: Readonly<Record<string, Composer>> = { confirmation, welcome: access, issued: access, ended };
  return async (claim, signal) => {
    const content = await composers[claim.mail.purpose]?.(claim, signal);
    return content && { ...content, to: claim.owner.email };
  };
}

/** Composes the mails that bring somebody the link of their own page. */
export function composeLinkMails(keys: AccessKeyStore, baseUrls: BaseUrls): ComposeMail<AccessKey> {
  return async (claim, signal) => {
    const { id, email, site } = claim.owner;
    const { code, hash } = makeSecret(id);
    if (!(await keys.addHash(claim, hash, signal))) return undefined;
    return { ...linkMail(linkTo(baseUrls[site], '/access', 'key', code)), to: email };
  };
}

function linkTo(baseUrl: string, path: string, name: string, value: string): string {
  return `${baseUrl.replace(/\/+$/, '')}${path}?${name}=${encodeURIComponent(value)}`;
}

type Claim = MailClaim<Authorization>;
type Composer = (claim: Claim, signal: AbortSignal) => Promise<MailContent | undefined>;
