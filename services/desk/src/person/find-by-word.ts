import { isIP } from 'node:net';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionState, ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { bounds } from '@knowledge/runtime/product';
import { requireField } from '../present/require-field.js';
import type { PersonServices } from './person-services.js';
import { readQuota, readSubject } from './read-quota.js';

/** What a word of support can lead to. */
export type Found =
  | { readonly kind: 'person'; readonly email: string }
  /** A client id or an IP address, as `knowledge quota` names it. */
  | { readonly kind: 'limits'; readonly subject: string }
  | { readonly kind: 'token' | 'request' | 'contribution'; readonly id: string; readonly email: string };

/**
 * Finds what a word of a person or an agent names. It may be an e-mail address, a client id or an IP address, the id of a
 * contribution, token or request, its first characters, or a link that contains it.
 */
export async function findByWord(services: PersonServices, word: string, reason: string): Promise<readonly Found[]> {
  if (isLimitsName(word)) return [{ kind: 'limits', subject: word }];
  const address = word.replace(/^email:/, '');
  if (address.includes('@')) return [{ kind: 'person', email: address.toLowerCase() }];
  if (isIP(word) !== 0) return [{ kind: 'limits', subject: `address:${word}` }];
  const id = idIn(word);
  const named = id === undefined ? [] : await findById(services, id, reason);
  if (named.length > 0 || (id !== undefined && id !== word.toLowerCase())) return named;
  const client = clientNamed(word);
  return client !== undefined && (await hasCounts(services, client, reason))
    ? [{ kind: 'limits', subject: client }]
    : [];
}

/** The client id that a word can be, as `knowledge quota` names it: what an agent may send as X-Agent-Client-Id. */
export function clientNamed(word: string): string | undefined {
  const { min, max } = bounds.clientId;
  const length = [...word].length;
  return length >= min && length <= max && !/\p{Cc}/u.test(word) ? `client:${word}` : undefined;
}

function isLimitsName(word: string): boolean {
  const address = /^address:(.*)$/s.exec(word)?.[1];
  return address === undefined ? word.startsWith('client:') && readSubject(word) !== undefined : isIP(address) !== 0;
}

async function hasCounts(services: PersonServices, client: string, reason: string): Promise<boolean> {
  const { allowances } = await readQuota(services, client, reason);
  return allowances.some(({ limit, remaining }) => remaining < limit);
}

function idIn(word: string): string | undefined {
  const whole = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/i.exec(word)?.[0];
  return (whole ?? /^[0-9a-f][0-9a-f-]{3,35}$/i.exec(word)?.[0])?.toLowerCase();
}

async function findById({ grants, moderation, call }: PersonServices, idPrefix: string, reason: string) {
  const page = { idPrefix, email: '', pageSize: mostOfAKind, pageToken: '' };
  const anyState = { state: AuthorizationState.UNSPECIFIED, reason };
  const any = { state: ContributionState.UNSPECIFIED, type: ContributionType.UNSPECIFIED, site: Site.UNSPECIFIED };
  const [{ tokens }, { authorizations }, { contributions }] = await Promise.all([
    grants.listTokens({ ...page, reason }, call()),
    grants.listAuthorizations({ ...page, ...anyState }, call()),
    moderation.listContributionRecords({ ...page, ...any }, call()),
  ]);
  return [
    ...contributions.map((each) => ({
      kind: 'contribution' as const,
      id: requireField(each.contribution).id,
      email: each.email,
    })),
    ...tokens.map(({ id, email }) => ({ kind: 'token' as const, id, email })),
    ...authorizations.map((each) => ({
      kind: 'request' as const,
      id: requireField(each.authorization).id,
      email: each.email,
    })),
  ];
}

const mostOfAKind = 5;
