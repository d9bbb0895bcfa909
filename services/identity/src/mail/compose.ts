import type { ComposeMail, MailClaim, MailContent } from '@knowledge/runtime/mail';
import type { Clock } from '../clock.js';
import { type Authorization, stateAt } from '../domain/authorization.js';
import type { MailPurpose } from '../domain/mail.js';
import { newMailedCode } from '../domain/mailed-code.js';
import { makeSecret } from '../domain/secret.js';
import type { Site } from '../domain/site.js';
import type { MailStore } from '../store/mails.js';
import { accessMail } from './access-mail.js';
import { confirmationMail } from './confirmation-mail.js';

/** What the mails need to know. */
export interface ComposeDeps {
  mails: MailStore;
  /** The base URL of each site. */
  baseUrls: Readonly<Record<Site, string>>;
  codeLifeMinutes: number;
  clock: Clock;
}

/**
 * Composes the mails of requests. Every attempt has a code or a key of its own, whose hash is noted before the mail leaves;
 * so nothing that was mailed is ever kept, and of two mails each works.
 */
export function composeMails({ mails, baseUrls, codeLifeMinutes, clock }: ComposeDeps): ComposeMail<Authorization> {
  const link = ({ site }: Authorization, path: string, name: string, value: string): string =>
    `${baseUrls[site].replace(/\/+$/, '')}${path}?${name}=${encodeURIComponent(value)}`;

  const confirmation = async (claim: Claim, signal: AbortSignal): Promise<MailContent | undefined> => {
    const { owner, mail } = claim;
    const now = clock();
    if (stateAt(owner, now) !== 'pending') return undefined;
    const { code, kept } = newMailedCode(owner, mail, new Date(now.getTime() + codeLifeMinutes * 60_000));
    if (!(await mails.addCode(claim, kept, signal))) return undefined;
    return confirmationMail(owner, link(owner, '/api/v1/agent/authorize/confirm', 'code', code), codeLifeMinutes);
  };

  const access = async (claim: Claim, signal: AbortSignal): Promise<MailContent | undefined> => {
    const { owner } = claim;
    const state = stateAt(owner, clock());
    if (state !== 'confirmed' && state !== 'issued') return undefined;
    const { code, hash } = makeSecret(owner.id);
    if (!(await mails.addAccessKey(claim, hash, signal))) return undefined;
    return accessMail(owner, link(owner, '/access', 'key', code));
  };

  const composers: Readonly<Record<MailPurpose, typeof access>> = { confirmation, welcome: access, issued: access };
  return async (claim, signal) => {
    const content = await composers[claim.mail.purpose as MailPurpose](claim, signal);
    return content && { ...content, to: claim.owner.email };
  };
}

type Claim = MailClaim<Authorization>;
