import { type Allowance, Policy, type Subject, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Ceiling, Limit, QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { presented } from '../base/presented.js';
import type { Calls } from '../base/services.js';
import { formatTable } from '../base/table.js';
import { timestamp } from '../base/time.js';
import { enumWords } from '../base/words.js';

const policies = enumWords(Policy);

const subjectKinds = new Map([
  ['client', SubjectKind.CLIENT_ID],
  ['email', SubjectKind.EMAIL],
  ['address', SubjectKind.ADDRESS],
]);

/** Reads `client:ID`, `email:ADDRESS` or `address:IP`; undefined if the name is none of them. */
export function readSubject(name: string): Subject | undefined {
  const at = name.indexOf(':');
  const kind = subjectKinds.get(name.slice(0, Math.max(at, 0)));
  const value = name.slice(at + 1);
  return kind === undefined || value === '' ? undefined : { kind, value };
}

/**
 * What a reader or writer has left today. `resetSubject` first gives it all its allowances back.
 *
 * @throws TypeError for a name that `readSubject` does not know.
 */
export async function quotaOf(
  quota: Calls<typeof QuotaAdminServiceService>,
  call: 'showSubject' | 'resetSubject',
  name: string,
  reason: string,
): Promise<QuotaView> {
  const subject = readSubject(name);
  if (subject === undefined) throw new TypeError(`${name} is no subject.`);
  const { allowances } = await quota[call]({ subject, reason });
  return presentQuota(name, allowances);
}

export type QuotaView = ReturnType<typeof presentQuota>;

/**
 * Converts all allowances of a subject. The top level repeats the allowance for article reads, with the field names of
 * the HTTP API. Its state is `used_up` if no read is left.
 */
function presentQuota(subject: string, allowances: readonly Allowance[]) {
  const all = allowances.map((each) => ({ ...presented(each), policy: policies.fromWire(each.policy) }));
  const reads = all.find(({ policy }) => policy.startsWith('read_') && policy !== 'read_address_cap');
  return {
    id: subject,
    state: reads !== undefined && reads.limit > 0 && reads.remaining === 0 ? 'used_up' : 'available',
    limit: reads?.limit ?? null,
    remaining: reads?.remaining ?? null,
    reset_at: reads?.reset_at ?? null,
    allowances: all,
  };
}

export function formatQuota({ allowances }: QuotaView): string {
  return formatTable(
    allowances,
    {
      policy: 'policy',
      limit: { value: (each) => (each.limit === 0 ? 'off' : each.limit), alignRight: true },
      remaining: { value: (each) => (each.limit === 0 ? '-' : each.remaining), alignRight: true },
      'resets, UTC': 'reset_at',
    },
    undefined,
  );
}

const kinds = enumWords(SubjectKind);

export type LimitView = ReturnType<typeof presentLimit>;

/** Converts a limit of quota, with the days on which readers or writers used it up. */
export function presentLimit({ policy, kind, units, windowHours, days, ceiling }: Limit) {
  return {
    policy: policies.fromWire(policy),
    counts: kinds.fromWire(kind),
    limit: units,
    window: windowHours === 1 ? 'hour' : 'day',
    used_up: days.map(presented),
    ceiling: ceiling === undefined ? null : presentCeiling(ceiling),
  };
}

function presentCeiling({ configuredUnits, setBy, setAt, reason }: Ceiling) {
  const configured = { configured: configuredUnits };
  return { ...configured, set_by: setBy || null, set_at: timestamp(setAt), reason: reason || null };
}

/** The ceilings: limits that administrators set. */
export const ceilingPolicies = [
  'read_address_cap',
  'authorize_address',
  'authorize_domain',
  'authorize_service',
  'link_address',
] as const;

export const toWirePolicy = policies.toWire;

/** The value of a limit in words. */
export function limitValue(units: number): string {
  return units === 0 ? 'off' : String(units);
}

/** How many times the limit was used up in the last 30 days. */
export function timesUsedUp({ used_up }: Pick<LimitView, 'used_up'>): number {
  return used_up.reduce((sum, { subjects }) => sum + subjects, 0);
}

/** What a limit of quota counts, for people; the name itself if only a newer service knows it. */
export function limitWords(policy: string): string {
  return words[policy] ?? policy;
}

const words: Readonly<Record<string, string>> = {
  read_verified_email: 'articles read with a token, a day',
  read_client_id: 'articles read with one client id, a day',
  read_address: 'articles read without a client id, a day',
  read_address_cap: 'all anonymous articles of one IP address, a day',
  contribute_mailbox: 'contributions, a day',
  authorize_mailbox: 'requests for access, an hour',
  authorize_mailbox_day: 'requests for access, a day',
  authorize_address: 'requests for access from one IP address, an hour',
  authorize_domain: 'requests for access to one mail domain, an hour',
  authorize_service: 'requests for access to all mailboxes, an hour',
  link_mailbox: 'mails with the access link, an hour',
  link_mailbox_day: 'mails with the access link, a day',
  link_address: 'mails with the access link asked from one IP address, an hour',
};
