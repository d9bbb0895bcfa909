import {
  type Allowance as WireAllowance,
  type Charge as WireCharge,
  type Lease as WireLease,
  Policy as WirePolicy,
  type Subject as WireSubject,
  SubjectKind as WireSubjectKind,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { KnowledgeError } from '@knowledge/runtime';
import { type Charge, createCharge } from '../domain/charge.js';
import type { Allowance } from '../domain/decision.js';
import type { TurnName } from '../domain/lease.js';
import type { Policies, PolicyName, SubjectKind } from '../domain/policy.js';
import { isLonger, type Subject } from '../domain/subject.js';

/** @throws KnowledgeError `validation_error` for a charge that cannot be counted. */
export function readCharge({ policy, subject }: WireCharge, policies: Policies): Charge {
  return createCharge(policies[readPolicy(policy)], readSubject(subject));
}

/** @throws KnowledgeError `validation_error` without a kind; the value is checked where it is used. */
export function readSubject(subject: WireSubject | undefined): Subject {
  if (subject === undefined) throw new KnowledgeError('validation_error', 'subject is required.');
  return { kind: readKind(subject.kind), value: subject.value };
}

/** @throws KnowledgeError `validation_error` for what names no turn of a lease. */
export function readLease({ id, turn }: WireLease): TurnName {
  if (id === '' || isLonger(id, maxLeaseId) || turn < 1) {
    throw new KnowledgeError(
      'validation_error',
      `lease must have an id of 1 to ${maxLeaseId} characters and a turn from 1.`,
    );
  }
  return { id, turn };
}

const maxLeaseId = 64;

/** An allowance as the contract has it. */
export function presentAllowance({ policy, remaining, resetAt }: Allowance): WireAllowance {
  return { policy: wirePolicies[policy.name], limit: policy.limit, remaining, resetAt: new Date(resetAt) };
}

const wirePolicies: Readonly<Record<PolicyName, WirePolicy>> = {
  read_verified_email: WirePolicy.READ_VERIFIED_EMAIL,
  read_client_id: WirePolicy.READ_CLIENT_ID,
  read_address: WirePolicy.READ_ADDRESS,
  read_address_cap: WirePolicy.READ_ADDRESS_CAP,
  contribute_mailbox: WirePolicy.CONTRIBUTE_MAILBOX,
  authorize_mailbox: WirePolicy.AUTHORIZE_MAILBOX,
  authorize_mailbox_day: WirePolicy.AUTHORIZE_MAILBOX_DAY,
  authorize_address: WirePolicy.AUTHORIZE_ADDRESS,
  renew_mailbox: WirePolicy.RENEW_MAILBOX,
  renew_mailbox_day: WirePolicy.RENEW_MAILBOX_DAY,
  link_mailbox: WirePolicy.LINK_MAILBOX,
  link_mailbox_day: WirePolicy.LINK_MAILBOX_DAY,
  link_address: WirePolicy.LINK_ADDRESS,
};

function readPolicy(policy: WirePolicy): PolicyName {
  switch (policy) {
    case WirePolicy.READ_VERIFIED_EMAIL:
      return 'read_verified_email';
    case WirePolicy.READ_CLIENT_ID:
      return 'read_client_id';
    case WirePolicy.READ_ADDRESS:
      return 'read_address';
    case WirePolicy.READ_ADDRESS_CAP:
      return 'read_address_cap';
    case WirePolicy.CONTRIBUTE_MAILBOX:
      return 'contribute_mailbox';
    case WirePolicy.AUTHORIZE_MAILBOX:
      return 'authorize_mailbox';
    case WirePolicy.AUTHORIZE_MAILBOX_DAY:
      return 'authorize_mailbox_day';
    case WirePolicy.AUTHORIZE_ADDRESS:
      return 'authorize_address';
    case WirePolicy.RENEW_MAILBOX:
      return 'renew_mailbox';
    case WirePolicy.RENEW_MAILBOX_DAY:
      return 'renew_mailbox_day';
    case WirePolicy.LINK_MAILBOX:
      return 'link_mailbox';
    case WirePolicy.LINK_MAILBOX_DAY:
      return 'link_mailbox_day';
    case WirePolicy.LINK_ADDRESS:
      return 'link_address';
    case WirePolicy.UNSPECIFIED:
    case WirePolicy.UNRECOGNIZED:
      throw new KnowledgeError('validation_error', 'policy must be one of the named policies.');
  }
}

function readKind(kind: WireSubjectKind): SubjectKind {
  switch (kind) {
    case WireSubjectKind.EMAIL:
      return 'email';
    case WireSubjectKind.CLIENT_ID:
      return 'client_id';
    case WireSubjectKind.ADDRESS:
      return 'address';
    case WireSubjectKind.UNSPECIFIED:
    case WireSubjectKind.UNRECOGNIZED:
      throw new KnowledgeError('validation_error', 'subject.kind is required.');
  }
}
