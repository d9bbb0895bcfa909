import { randomUUID } from 'node:crypto';
import type { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { CallContext } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { v5 } from 'uuid';
import { newAccessKey } from '../domain/access-key.js';
import { mailboxOf, maskEmail, requireEmail } from '../domain/email.js';
import type { MailLimits } from '../domain/limits.js';
import { newMail } from '../domain/mail.js';
import type { AccessKeyStore } from '../store/access-keys.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { BlockStore } from '../store/blocks.js';
import { authorizationOfCode } from './get-confirmation.js';

export interface MailAccessLinkParts {
  authorizations: AuthorizationStore;
  keys: AccessKeyStore;
  blocks: BlockStore;
  limits: MailLimits;
  wakeOutbox: () => void;
}

/**
 * Mails the link to the access page. It reads and writes the same for every address, so that callers cannot find out
 * which addresses are known.
 */
export function mailAccessLink(parts: MailAccessLinkParts): Handlers<IdentityServiceService>['mailAccessLink'] {
  const { authorizations, keys, limits, wakeOutbox } = parts;
  return async ({ email: address, code, clientAddress, site, hasContributions }, call) => {
    const email = code === '' ? requireEmail(address) : (await authorizationOfCode(authorizations, code, call)).email;
    const keyId = keyIdOf(email, call.requestId, call.now);
    const unit = { kind: 'link' as const, id: keyId, email, address: clientAddress };
    await limits.take(unit, call);
    const known = (await isKnown(parts, email, call)) || hasContributions || code !== '';
    const mails = known ? [newMail(randomUUID(), 'link', call.now, call.traceparent)] : [];
    const key = newAccessKey(email, requireSite(site), call.now, keyId);
    // For an unknown address the key has no mail. Such a key opens nothing and is deleted at once.
    await keys.insert(
      { ...key, mails, mailsDueAt: known ? call.now : null, purgeAt: known ? key.purgeAt : call.now },
      call,
    );
    limits.keep(unit);
    wakeOutbox();
    return { maskedEmail: maskEmail(email) };
  };
}

// A request id within the same hour always gives the same key, so a repeated request sends no second mail.
function keyIdOf(email: string, requestId: string, now: Date): string {
  return v5(`${email} ${requestId} ${now.toISOString().slice(0, 13)}`, namespace);
}

const namespace = '8f0b5d36-3a5e-5d0b-b9a4-2c44a7f0e1d7';

async function isKnown({ authorizations, keys, blocks }: MailAccessLinkParts, email: string, call: CallContext) {
  const found = await Promise.all([
    authorizations.hasConfirmed(email, call),
    keys.has(email, call),
    blocks.find(mailboxOf(email), call),
  ]);
  return found.some(Boolean);
}
