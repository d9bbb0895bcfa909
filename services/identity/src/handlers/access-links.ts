import { randomUUID } from 'node:crypto';
import type { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import {
  type Attribution,
  actors,
  type CallContext,
  isUuid,
  KnowledgeError,
  mailboxOf,
  newMail,
  refuse,
} from '@knowledge/runtime';
import { type HandlerContext, type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { aboutPerson } from '@knowledge/runtime/transition-log';
import { requireEmail, requireSite } from '@knowledge/runtime/wire';
import { v5 } from 'uuid';
import { newAccessKey, requireConfirmedKeyHolder as requireConfirmed, unknownKey } from '../domain/mailed-code.js';
import { optionalSecretCode, sameHash } from '../domain/secret.js';
import { maskEmail } from '../domain/text.js';
import { isValid } from '../domain/token.js';
import type { AuthorizationStore } from '../store/authorizations.js';
import type { EndedChain, GrantStore } from '../store/grants.js';
import { authorizationOfCode } from './confirmation.js';
import type { IdentityParts } from './wire.js';

export function accessLinkHandlers(
  parts: IdentityParts,
): Pick<Handlers<IdentityServiceService>, 'mailAccessLink' | 'replaceAccessLinks' | 'revokeAccess'> {
  const { authorizations, keys, wakeOutbox } = parts;
  return {
    /**
     * Mails the link to the access page. A mailbox of which only a block is known gets one a week. It reads and writes the same
     * for every address, so that callers cannot find out which are known.
     */
    async mailAccessLink({ email: address, code, clientAddress, site, hasContributions }, call) {
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
    },

    /** Mails a new link and makes all earlier ones useless. So nobody with an old link can keep the human out. */
    async replaceAccessLinks({ accessKey, site }, call) {
      const id = v5(`${accessKey} ${call.requestId}`, namespace);
      // The key of a repeat is useless already, but the first call has stored the new one.
      const email = (await keys.find(id, call))?.email ?? (await requireKeyHolder(parts, accessKey, call));
      const mails = [newMail(randomUUID(), 'new_link', call.now, call.traceparent)];
      await keys.insert({ ...newAccessKey(email, requireSite(site), call.now, id), mails, mailsDueAt: call.now }, call);
      await authorizations.endLinks(email, call);
      await keys.endOthers(email, id, call);
      wakeOutbox();
      return { email };
    },

    /**
     * Revokes one grant of a human, or all grants and pending authorizations. The id of another human's grant gives the
     * same error as an unknown id. Only an unknown key is `not_found`.
     */
    async revokeAccess({ accessKey, id, keepWaiting }, call) {
      const email = await requireKeyHolder(parts, accessKey, call);
      const ids = id === '' ? await grantsOf(parts, email, call) : [await grantWith(parts, email, id, call)];
      const { now: at, requestId } = call;
      const act = { actor: actors.human, at, reason: '', requestId, withdrawWaiting: !keepWaiting };
      const ended: EndedChain[] = [];
      for (const each of ids) {
        const chain = await parts.grants.revokeGrant(each, act, call.signal);
        if (chain !== undefined) ended.push(chain);
      }
      parts.wakeOutbox();
      const stopped = ended.filter(({ revoked }) => revoked);
      return {
        revoked: stopped.length,
        authorizationIds: stopped.map(({ rootAuthorizationId }) => rootAuthorizationId),
        declined: ended.reduce((sum, { declined }) => sum + declined, 0),
      };
    },
  };
}

/** Sends the link for support, who may know whether the human is known. It counts as if the human had asked. */
export function sendAccessLink(parts: IdentityParts): Handlers<GrantAdminServiceService>['sendAccessLink'] {
  return async ({ email: address, site, reason, hasContributions }, call) => {
    const email = requireEmail(address);
    const act = requireAttribution(call, reason);
    const isKnown = async () => {
      const { own, staff } = await parts.blocks.find(mailboxOf(email), call);
      return (own ?? staff) !== undefined || hasAccessPage(parts, email, call);
    };
    if (!hasContributions && !(await isKnown())) {
      throw new KnowledgeError('not_found', 'Nothing is known of this person, so there is no access page.');
    }
    await recordLink(parts, { email, clientAddress: '', site, purposeFor: async () => 'link' }, call);
    const whose = aboutPerson(email);
    await parts.transitions.record({ ...whose, to: 'link sent', ...act }, call.signal);
    return {};
  };
}

interface Link {
  readonly email: string;
  readonly clientAddress: string;
  readonly site: Site;
  /** The mail to send, if any. It may not depend on what a stranger sees. */
  readonly purposeFor: (keyId: string) => Promise<'link' | 'block_link' | undefined>;
}

async function recordLink(parts: IdentityParts, link: Link, call: HandlerContext) {
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
function keyIdOf(email: string, requestId: string, now: Date) {
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

async function grantsOf({ authorizations, tokens }: IdentityParts, email: string, call: CallContext) {
  // Reads authorizations before tokens. So a token that is issued meanwhile is in the list of tokens.
  const waiting = await authorizations.listOpen({ email }, call);
  const ids = new Set(waiting.map((each) => each.id));
  let after: { at: Date; id: string } | undefined;
  do {
    const page = await tokens.list({ email }, { size: 200, after }, call);
    for (const token of page.items) if (isValid(token, call.now)) ids.add(token.authorizationId);
    after = page.next;
  } while (after !== undefined);
  return [...ids];
}

async function grantWith({ authorizations, tokens }: IdentityParts, email: string, id: string, call: CallContext) {
  if (isUuid(id)) {
    const token = await tokens.find(id, call);
    if (token?.email === email) return token.authorizationId;
    const authorization = await authorizations.find(id, call);
    if (authorization?.email === email) return authorization.id;
  }
  refuse('There is no such access on this page');
}

export async function requireKeyHolder(
  { authorizations, keys }: IdentityParts,
  accessKey: string,
  call: CallContext,
): Promise<string> {
  const key = optionalSecretCode(accessKey);
  if (key === undefined) throw unknownKey();
  const own = await keys.find(key.id, call);
  if (own?.hashes.some((hash) => sameHash(hash, key.hash))) return own.email;
  return requireConfirmed(await authorizations.find(key.id, call), key);
}

/** Ends all pending authorizations of a mailbox, in any spelling. Returns the number of them. */
export async function endPending(
  { authorizations, grants }: { authorizations: AuthorizationStore; grants: GrantStore },
  email: string,
  act: Attribution,
  call: CallContext,
): Promise<number> {
  let ended = 0;
  for (const { id, state } of await authorizations.listOpen({ mailbox: mailboxOf(email) }, call)) {
    if (state === 'pending' && (await grants.revokeGrant(id, act, call.signal))) ended++;
  }
  return ended;
}
