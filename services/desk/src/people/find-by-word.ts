import { hash } from 'node:crypto';
import { isIP } from 'node:net';
import { ContributionFilter, type ContributionRecord } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { AuthorizationRecord } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { mailboxOf, ownTokenIn } from '@knowledge/runtime/client';
import { bounds } from '@knowledge/runtime/product';
import { requireField } from '../base/words.js';
import { quotaOf, readSubject } from '../limits/limits.js';
import type { PersonServices } from './person.js';

/** What a word of support can lead to. */
export type Found =
  | { readonly kind: 'person'; readonly email: string }
  /** A client id or an IP address, as `knowledge quota` names it. */
  | { readonly kind: 'limits'; readonly subject: string }
  | { readonly kind: 'token' | 'request' | 'contribution'; readonly id: string; readonly email: string };

/**
 * Finds what a person or an agent names. It may be an e-mail address, a client id or an IP address; the id of a contribution, token or
 * request, its first characters, or a link that contains it; an `X-Request-Id`, a user code, or the name of an agent.
 */
export async function findByWord(services: PersonServices, word: string, reason: string): Promise<readonly Found[]> {
  const tokenHash = /^token:(.*)$/s.exec(word)?.[1];
  if (tokenHash !== undefined) {
    const { tokens } = await services.grants.listTokens({ ...few, tokenHash, reason });
    return tokens.map(({ id, email }) => ({ kind: 'token', id, email }));
  }
  if (isLimitsName(word)) return [{ kind: 'limits', subject: word }];
  const address = addressIn(word);
  if (address !== undefined) return [{ kind: 'person', email: await knownAs(services, address.toLowerCase(), reason) }];
  if (isIP(word) !== 0) return [{ kind: 'limits', subject: `address:${word}` }];
  const id = idIn(word);
  const named = id === undefined ? [] : await findById(services, id, reason);
  if (named.length > 0 || (id !== undefined && id !== word.toLowerCase())) return named;
  const others = await findByNames(services, word, reason);
  if (others.length > 0) return others;
  const client = clientNamed(word);
  return client !== undefined && (await hasCounts(services, client, reason))
    ? [{ kind: 'limits', subject: client }]
    : [];
}

/** A word that has a token, as `token:` and its hash, so that the token goes no further. Any other word stays as it is. */
export function withoutToken(word: string): string {
  const token = ownTokenIn(word);
  return token === undefined ? word : `token:${tokenHashOf(token)}`;
}

/** The hash by which identity knows a token. */
export function tokenHashOf(token: string): string {
  return hash('sha256', token, 'base64url');
}

/** The client id that a word can be, as `knowledge quota` names it: what an agent may send as X-Agent-Client-Id. */
export function clientNamed(word: string): string | undefined {
  const { min, max } = bounds.clientId;
  const length = [...word].length;
  return length >= min && length <= max && !/\p{Cc}/u.test(word) ? `client:${word}` : undefined;
}

/** Finds the e-mail address in what is copied from a mail or a link. Such as `Jo <jo@example.org>,` or `mailto:jo@example.org?subject=…`. */
export function addressIn(word: string): string | undefined {
  const inBrackets = /<([^<>]*)>/.exec(word)?.[1] ?? word;
  const address = inBrackets
    .trim()
    .replace(/^mailto:([^?]*).*/is, '$1')
    .replace(/^email:/, '')
    .replace(/[,;.>]+$/, '');
  return /^[^\s@]+@[^\s@]+$/.test(address) ? address : undefined;
}

function isLimitsName(word: string) {
  const address = /^address:(.*)$/s.exec(word)?.[1];
  return address === undefined ? word.startsWith('client:') && readSubject(word) !== undefined : isIP(address) !== 0;
}

async function hasCounts(services: PersonServices, client: string, reason: string) {
  const { allowances } = await quotaOf(services.quota, 'showSubject', client, reason);
  return allowances.some(({ limit, remaining }) => remaining < limit);
}

function idIn(word: string) {
  const whole = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.exec(word)?.[0];
  return (whole ?? /^[0-9a-f][0-9a-f-]{3,35}$/i.exec(word)?.[0])?.toLowerCase();
}

async function findById({ grants, moderation }: PersonServices, idPrefix: string, reason: string) {
  const page = { ...few, idPrefix };
  const [{ tokens }, { authorizations }, { contributions }] = await Promise.all([
    grants.listTokens({ ...page, reason }),
    grants.listAuthorizations({ ...page, ...anyState, reason }),
    moderation.listContributionRecords(page),
  ]);
  const ended = tokens.map(({ id, email }) => ({ kind: 'token' as const, id, email }));
  return [...contributions.map(toFoundRecord), ...ended, ...authorizations.map(toFoundRequest)];
}

/** Finds what the request with this id changed, and what has this user code or agent name. */
async function findByNames({ grants, moderation }: PersonServices, word: string, reason: string): Promise<Found[]> {
  const isUserCode = /^[A-Z]{4}[\s-]?[A-Z]{4}$/i.test(word);
  const asked = [{ requestId: word }, { agentName: word }, ...(isUserCode ? [{ userCode: word }] : [])];
  const [{ contributions }, ...lists] = await Promise.all([
    moderation.listContributionRecords({ ...few, requestId: word }),
    ...asked.map((each) => grants.listAuthorizations({ ...few, ...anyState, ...each, reason })),
  ]);
  const requests = lists.flatMap(({ authorizations }) => authorizations).map(toFoundRequest);
  return [...contributions.map(toFoundRecord), ...new Map(requests.map((each) => [each.id, each])).values()];
}

/** The address under which something is stored: this one, or that of its mailbox. */
async function knownAs({ grants, moderation }: PersonServices, email: string, reason: string) {
  const isKnown = async (address: string) => {
    const one = { ...few, email: address, pageSize: 1 };
    const [{ tokens }, { authorizations }, { contributions }] = await Promise.all([
      grants.listTokens({ ...one, reason }),
      grants.listAuthorizations({ ...one, ...anyState, reason }),
      moderation.listContributionRecords({ ...one, filter: ContributionFilter.fromPartial({ email: address }) }),
    ]);
    return tokens.length + authorizations.length + contributions.length > 0;
  };
  const mailbox = mailboxOf(email);
  if (mailbox === email || (await isKnown(email))) return email;
  return (await isKnown(mailbox)) ? mailbox : email;
}

const few = { email: '', pageSize: 100, pageToken: '' };
const anyState = { state: AuthorizationState.UNSPECIFIED };

function toFoundRecord({ contribution, email }: ContributionRecord) {
  return { kind: 'contribution' as const, id: requireField(contribution).id, email };
}

function toFoundRequest({ authorization, email }: AuthorizationRecord) {
  return { kind: 'request' as const, id: requireField(authorization).id, email };
}
