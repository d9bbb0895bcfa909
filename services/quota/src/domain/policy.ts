import { rules } from '@knowledge/runtime/product';

/** The kinds of subjects that a policy can count. */
export type SubjectKind = 'email' | 'client_id' | 'address' | 'mail_domain' | 'service';

/** The names of the policies. Stored keys contain them, so a name never changes. */
export type PolicyName =
  | 'read_verified_email'
  | 'read_client_id'
  | 'read_address'
  | 'read_address_cap'
  | 'contribute_mailbox'
  | 'authorize_mailbox'
  | 'authorize_mailbox_day'
  | 'authorize_address'
  | 'authorize_domain'
  | 'authorize_service'
  | 'link_mailbox'
  | 'link_mailbox_day'
  | 'link_address';

/** A limit on the units of one kind of subject in one window. */
export interface Policy {
  readonly name: PolicyName;
  /** The kind of subject that the policy counts. */
  readonly kind: SubjectKind;
  /** The largest number of units in one window; 0 switches the policy off. */
  readonly limit: number;
  readonly window: WindowLength;
}

/** The largest limit that can be configured or set. */
export const maxLimit = 1_000_000_000;

/** The policies whose limit administrators set: what one network address, one mail domain or everybody may take. */
export const ceilingNames = [
  'read_address_cap',
  'authorize_address',
  'authorize_domain',
  'authorize_service',
  'link_address',
] as const satisfies readonly PolicyName[];

export type CeilingName = (typeof ceilingNames)[number];

export type Policies = Readonly<Record<PolicyName, Policy>>;

/** The limits that operators configure; 0 switches a limit off. */
export interface ConfiguredLimits {
  /** Anonymous reads per address and day, for all its client ids together. */
  anonymousPerAddress: number;
  /** Authorization requests per address and hour. Mails with access links have a separate limit with the same value. */
  authorizePerAddress: number;
  /** Requests of strangers to the mailboxes of one domain an hour. */
  authorizePerDomain: number;
  /** Requests of strangers to all mailboxes an hour. */
  authorizePerHour: number;
}

/** Makes all policies (gateway/PROTOCOL.md#read-quota, gateway/PROTOCOL.md#authorization-limits). */
export function createPolicies(limits: ConfiguredLimits): Policies {
  const { anonymousPerAddress, authorizePerAddress, authorizePerDomain, authorizePerHour } = limits;
  const table: { [Name in PolicyName]: Omit<Policy, 'name'> } = {
    read_verified_email: { kind: 'email', limit: rules.readsPerDay.verifiedEmail, window: 'day' },
    read_client_id: { kind: 'client_id', limit: rules.readsPerDay.anonymous, window: 'day' },
    read_address: { kind: 'address', limit: rules.readsPerDay.anonymous, window: 'day' },
    read_address_cap: { kind: 'address', limit: anonymousPerAddress, window: 'day' },
    contribute_mailbox: { kind: 'email', limit: rules.contributionsPerDay, window: 'day' },
    authorize_mailbox: { kind: 'email', limit: rules.mailsPerHour, window: 'hour' },
    authorize_mailbox_day: { kind: 'email', limit: rules.mailsPerDay, window: 'day' },
    authorize_address: { kind: 'address', limit: authorizePerAddress, window: 'hour' },
    authorize_domain: { kind: 'mail_domain', limit: authorizePerDomain, window: 'hour' },
    authorize_service: { kind: 'service', limit: authorizePerHour, window: 'hour' },
    // Access links have their own policies, so that requests by strangers cannot keep a human from the own page.
    link_mailbox: { kind: 'email', limit: rules.mailsPerHour, window: 'hour' },
    link_mailbox_day: { kind: 'email', limit: rules.mailsPerDay, window: 'day' },
    link_address: { kind: 'address', limit: authorizePerAddress, window: 'hour' },
  };
  const named = Object.entries(table).map(([name, policy]) => [name, { name, ...policy }]);
  return Object.freeze(Object.fromEntries(named)) as Policies;
}

/** Whether a counter keeps every granted id. With a limit above 50 it keeps a count and only the most recent ids. */
export function keepsEveryId({ limit }: Policy): boolean {
  return limit <= 50;
}

/** The length of a window: a UTC calendar day or a UTC hour. */
type WindowLength = 'hour' | 'day';

/** Returns the current time in milliseconds since 1970. */
export type Now = () => number;

const lengthMs: Readonly<Record<WindowLength, number>> = { hour: 3_600_000, day: 86_400_000 };

/** The start of the window that contains `now`. The calculation ignores leap seconds, as POSIX time does. */
export function windowStart(length: WindowLength, now: number): number {
  return now - (now % lengthMs[length]);
}

/** The start of the next window. */
export function windowEnd(length: WindowLength, start: number): number {
  return start + lengthMs[length];
}
