import { rules } from '@knowledge/runtime/product';
import type { WindowLength } from './window.js';

/** What kind of reader or writer is counted. */
export type SubjectKind = 'email' | 'client_id' | 'address';

/** The named policies; a name is part of stored keys and never changes. */
export type PolicyName =
  | 'read_verified_email'
  | 'read_client_id'
  | 'read_address'
  | 'read_address_cap'
  | 'contribute_mailbox'
  | 'authorize_mailbox'
  | 'authorize_mailbox_day'
  | 'authorize_address'
  | 'renew_mailbox'
  | 'renew_mailbox_day'
  | 'link_mailbox'
  | 'link_mailbox_day'
  | 'link_address';

/** How much of something a subject may have in one window. */
export interface Policy {
  readonly name: PolicyName;
  /** The kind of subject that it counts. */
  readonly kind: SubjectKind;
  /** The most in one window; 0 switches the policy off. */
  readonly limit: number;
  readonly window: WindowLength;
}

/** Every policy by its name. */
export type Policies = Readonly<Record<PolicyName, Policy>>;

/** The limits that operators set; 0 is off. */
export interface ConfiguredLimits {
  /** Anonymous reads of one address, over all its client ids, a day. */
  anonymousPerAddress: number;
  /** Authorize requests from one address an hour; as many mails with the link of a human's own page, counted apart. */
  authorizePerAddress: number;
}

/** The table of policies (gateway/PROTOCOL.md#read-quota, gateway/PROTOCOL.md#authorization-limits). */
export function createPolicies({ anonymousPerAddress, authorizePerAddress }: ConfiguredLimits): Policies {
  const table: { [Name in PolicyName]: Omit<Policy, 'name'> } = {
    read_verified_email: { kind: 'email', limit: rules.readsPerDay.verifiedEmail, window: 'day' },
    read_client_id: { kind: 'client_id', limit: rules.readsPerDay.anonymous, window: 'day' },
    read_address: { kind: 'address', limit: rules.readsPerDay.anonymous, window: 'day' },
    read_address_cap: { kind: 'address', limit: anonymousPerAddress, window: 'day' },
    contribute_mailbox: { kind: 'email', limit: rules.contributionsPerDay, window: 'day' },
    authorize_mailbox: { kind: 'email', limit: rules.mailsPerHour, window: 'hour' },
    authorize_mailbox_day: { kind: 'email', limit: rules.mailsPerDay, window: 'day' },
    authorize_address: { kind: 'address', limit: authorizePerAddress, window: 'hour' },
    // Apart, so that no stranger's requests keep an agent with a token from its renewal, or a human from their own page.
    renew_mailbox: { kind: 'email', limit: rules.mailsPerHour, window: 'hour' },
    renew_mailbox_day: { kind: 'email', limit: rules.mailsPerDay, window: 'day' },
    link_mailbox: { kind: 'email', limit: rules.mailsPerHour, window: 'hour' },
    link_mailbox_day: { kind: 'email', limit: rules.mailsPerDay, window: 'day' },
    link_address: { kind: 'address', limit: authorizePerAddress, window: 'hour' },
  };
  const named = Object.entries(table).map(([name, policy]) => [name, { name, ...policy }]);
  return Object.freeze(Object.fromEntries(named)) as Policies;
}

/** Whether every id granted in a window is kept; beyond this maximum it is a count and the most recent ids. */
export function keepsEveryId({ limit }: Policy): boolean {
  return limit <= 50;
}
