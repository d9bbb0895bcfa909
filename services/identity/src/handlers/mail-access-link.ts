import { randomUUID } from 'node:crypto';
import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { type CallContext, KnowledgeError, mailboxOf, newMail } from '@knowledge/runtime';
import { type HandlerContext, type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { personHash } from '@knowledge/runtime/watch';
import { requireEmail, requireSite } from '@knowledge/runtime/wire';
import { v5 } from 'uuid';
import { newAccessKey } from '../domain/access-key.js';
import { maskEmail, requireReason } from '../domain/text.js';
import { authorizationOfCode } from './confirmation.js';
import type { IdentityParts } from './parts.js';
import { requireKeyHolder } from './revoke-access.js';

/**
 * Mails the link to the access page. A mailbox of which only a block is known gets one a week. It reads and writes the same
 * for every address, so that callers cannot find out which are known.
 */
export function mailAccessLink(parts: IdentityParts): Handlers<IdentityServiceService>['mailAccessLink'] {
  const { authorizations } = parts;
  return async ({ email: address, code, clientAddress, site, hasContributions }, call) => {
    const email = code === '' ? requireEmail(address) : (await authorizationOfCode(authorizations, code, call)).email;
    const purposeFor = async (keyId: string) => {
      if (hasContributions || code !== '') return 'link';
      const [hasPage, mayGet] = await Promise.all([
        hasAccessPage(parts, email, call),
        parts.blocks.takeLink(mailboxOf(email), keyId, call),
      ]);
      return hasPage ? 'link' : mayGet ? 'block_link' : undefined;
    };
    await recordLink(parts, { email, clientAddress, site, purposeFor }, call);
    return { maskedEmail: maskEmail(email) };
  };
}

/** Sends the link for support, who may know whether the human is known. It counts as if the human had asked. */
export function sendAccessLink(parts: IdentityParts): Handlers<GrantAdminServiceService>['sendAccessLink'] {
  return async ({ email: address, site, reason, hasContributions }, call) => {
    const email = requireEmail(address);
    const act = requireAttribution(call, requireReason(reason));
    const isKnown = async () => {
      const { own, staff } = await parts.blocks.find(mailboxOf(email), call);
      return (own ?? staff) !== undefined || hasAccessPage(parts, email, call);
    };
    if (!hasContributions && !(await isKnown())) {
      throw new KnowledgeError('not_found', 'Nothing is known of this person, so there is no access page.');
    }
    await recordLink(parts, { email, clientAddress: '', site, purposeFor: async () => 'link' }, call);
    const person = personHash(email);
    await parts.transitions.record({ subject: 'person', id: person, person, to: 'link sent', ...act }, call.signal);
    return {};
  };
}

/** Mails a new link and makes all earlier ones useless. So nobody with an old link can keep the human out. */
export function replaceAccessLinks(parts: IdentityParts): Handlers<IdentityServiceService>['replaceAccessLinks'] {
  const { authorizations, keys, wakeOutbox } = parts;
  return async ({ accessKey, site }, call) => {
    const id = v5(`${accessKey} ${call.requestId}`, namespace);
    // The key of a repeat is useless already, but the first call has stored the new one.
    const email = (await keys.find(id, call))?.email ?? (await requireKeyHolder(parts, accessKey, call));
    const mails = [newMail(randomUUID(), 'new_link', call.now, call.traceparent)];
    await keys.insert({ ...newAccessKey(email, requireSite(site), call.now, id), mails, mailsDueAt: call.now }, call);
    await authorizations.endLinks(email, call);
    await keys.endOthers(email, id, call);
    wakeOutbox();
    return { email };
  };
}

interface Link {
  readonly email: string;
  readonly clientAddress: string;
  readonly site: Site;
  /** The mail to send, if any. It may not depend on what a stranger sees. */
  readonly purposeFor: (keyId: string) => Promise<'link' | 'block_link' | undefined>;
}

async function recordLink(parts: IdentityParts, link: Link, call: HandlerContext): Promise<void> {
  const { keys, limits, wakeOutbox } = parts;
  const { email, clientAddress, site } = link;
  const keyId = keyIdOf(email, call.requestId, call.now);
  const unit = { kind: 'link' as const, id: keyId, email, address: clientAddress };
  await limits.take(unit, call);
  const purpose = await link.purposeFor(keyId);
  const known = purpose !== undefined;
  const mails = known ? [newMail(randomUUID(), purpose, call.now, call.traceparent)] : [];
  const key = newAccessKey(email, requireSite(site), call.now, keyId);
  // For an unknown address the key has no mail. Such a key opens nothing and is deleted at once.
  await keys.insert(
    { ...key, mails, mailsDueAt: known ? call.now : null, purgeAt: known ? key.purgeAt : call.now },
    call,
  );
  limits.keep(unit);
  wakeOutbox();
}

/** Stores the mail that tells a human about a block of staff. A repeated request sends no second mail. */
export async function recordBlockMail(
  { keys, wakeOutbox }: IdentityParts,
  email: string,
  call: HandlerContext,
): Promise<void> {
  const mails = [newMail(randomUUID(), 'blocked', call.now, call.traceparent)];
  const key = newAccessKey(email, 'org', call.now, keyIdOf(email, call.requestId, call.now));
  await keys.insert({ ...key, mails, mailsDueAt: call.now }, call);
  wakeOutbox();
}

// A request id within the same hour always gives the same key, so a repeated request sends no second mail.
function keyIdOf(email: string, requestId: string, now: Date): string {
  return v5(`${email} ${requestId} ${now.toISOString().slice(0, 13)}`, namespace);
}

const namespace = '8f0b5d36-3a5e-5d0b-b9a4-2c44a7f0e1d7';

/** Whether a human has an access page, because of a confirmation or a contribution. */
export async function hasAccessPage(
  { authorizations, keys }: IdentityParts,
  email: string,
  call: CallContext,
): Promise<boolean> {
  const found = await Promise.all([authorizations.hasConfirmed({ email }, call), keys.has(email, call)]);
  return found.some(Boolean);
}
