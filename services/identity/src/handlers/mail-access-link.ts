import { randomUUID } from 'node:crypto';
import type { MailAccessLinkRequest, MailAccessLinkResponse } from '@knowledge/proto/knowledge/identity/v1/identity';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { v5 } from 'uuid';
import type { Clock } from '../clock.js';
import { newAccessKey } from '../domain/access-key.js';
import { mailboxOf, maskEmail, readEmail } from '../domain/email.js';
import type { AuthorizeLimits } from '../domain/limits.js';
import { newMail } from '../domain/mail.js';
import type { AccessKeyStore } from '../store/access-keys.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { BlockStore } from '../store/blocks.js';
import type { Call } from '../store/call.js';
import { callOf } from './call.js';
import { ownerOfCode } from './get-confirmation.js';
import { fromWireSite } from './present-authorization.js';

/** What it takes to mail somebody the link of their own page. */
export interface MailAccessLinkDeps {
  authorizations: AuthorizationStore;
  keys: AccessKeyStore;
  blocks: BlockStore;
  limits: AuthorizeLimits;
  wakeOutbox: () => void;
  clock: Clock;
}

/** The same look-ups and the same write for every address, so that nothing tells who is known here. */
export function handleMailAccessLink(
  deps: MailAccessLinkDeps,
): UnaryHandler<MailAccessLinkRequest, MailAccessLinkResponse> {
  const { authorizations, keys, limits, wakeOutbox, clock } = deps;
  return async ({ email: address, code, clientAddress, site, hasContributions }, context) => {
    const call = callOf(context, clock);
    const email = code === '' ? readEmail(address) : (await ownerOfCode(authorizations, code, call)).email;
    const keyId = keyIdOf(email, context.requestId, call.now);
    const unit = { kind: 'link' as const, id: keyId, email, address: clientAddress };
    await limits.take(unit, context);
    const known = (await isKnown(deps, email, call)) || hasContributions || code !== '';
    const mails = known ? [newMail(randomUUID(), 'link', call.now, call.traceparent)] : [];
    const key = newAccessKey(email, fromWireSite(site), call.now, keyId);
    // A key without a mail opens nothing; it goes at once.
    await keys.insert(
      { ...key, mails, mailsDueAt: known ? call.now : null, purgeAt: known ? key.purgeAt : call.now },
      call,
    );
    limits.keep(unit);
    wakeOutbox();
    return { maskedEmail: maskEmail(email) };
  };
}

// The same request within the same hour is the same key, so that a repeat after a lost answer sends no other mail.
function keyIdOf(email: string, requestId: string, now: Date): string {
  return v5(`${email} ${requestId} ${now.toISOString().slice(0, 13)}`, namespace);
}

const namespace = '8f0b5d36-3a5e-5d0b-b9a4-2c44a7f0e1d7';

async function isKnown({ authorizations, keys, blocks }: MailAccessLinkDeps, email: string, call: Call) {
  const found = await Promise.all([
    authorizations.hasConfirmed(email, call),
    keys.has(email, call),
    blocks.find(mailboxOf(email), call),
  ]);
  return found.some(Boolean);
}
