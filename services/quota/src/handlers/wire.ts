import type { Duration } from '@knowledge/proto/google/protobuf/duration';
import {
  Policy,
  SubjectKind,
  type Allowance as WireAllowance,
  type Charge as WireCharge,
  type Lease as WireLease,
  type Subject as WireSubject,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Limit } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { KnowledgeError } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import { enumWords } from '@knowledge/runtime/wire';
import type { TurnName } from '../domain/consume-item.js';
import type { Allowance } from '../domain/decision.js';
import { ceilingNames, type Policies, type PolicyName, type Policy as QuotaPolicy } from '../domain/policy.js';
import { type Charge, createCharges, isLonger, type Subject } from '../domain/subject.js';
import type { Ceilings, StoredCeiling } from '../store/ceilings.js';
import type { UsedUpDay } from '../store/used-up-days.js';

const policies = enumWords('policy', Policy);
const toWirePolicy = policies.toWire;
const { toWire: toWireKind, require: requireKind } = enumWords('subject.kind', SubjectKind);

const maxLeaseId = 64;

/** @throws KnowledgeError `validation_error` for no policy or an unknown one. */
export function requirePolicy(wire: Policy): PolicyName {
  return policies.require(wire);
}

/** @throws KnowledgeError `validation_error` for an invalid policy or subject. */
export function requireCharges({ policy, subject }: WireCharge, policies: Policies): [Charge, ...Charge[]] {
  return createCharges(policies[requirePolicy(policy)], requireSubject(subject));
}

/** @throws KnowledgeError `validation_error` if the kind is missing. The value is checked later. */
export function requireSubject(subject: WireSubject | undefined): Subject {
  if (subject === undefined) throw new KnowledgeError('validation_error', 'subject is required.');
  return { kind: requireKind(subject.kind), value: subject.value };
}

/** @throws KnowledgeError `validation_error` if the id or the number of the turn is invalid. */
export function requireTurn({ id, turn }: WireLease): TurnName {
  if (id === '' || isLonger(id, maxLeaseId) || turn < 1) {
    const message = `lease must have an id of 1 to ${maxLeaseId} characters and a turn from 1.`;
    throw new KnowledgeError('validation_error', message);
  }
  return { id, turn };
}

export function toWireAllowance({ policy, remaining, resetAt }: Allowance): WireAllowance {
  return { policy: toWirePolicy(policy.name), limit: policy.limit, remaining, resetAt: new Date(resetAt) };
}

/** Converts a limit. A ceiling says what the configuration has, and who set it since. */
export function toWireLimit(
  { name, kind, limit, window }: QuotaPolicy,
  days: readonly UsedUpDay[],
  ceilings: Pick<Ceilings, 'configured'>,
  stored: ReadonlyMap<string, StoredCeiling>,
): Limit {
  const windowHours = window === 'day' ? 24 : 1;
  const ceilingName = ceilingNames.find((each) => each === name);
  const { actor = '', reason = '', at } = stored.get(name) ?? {};
  const ceiling = ceilingName && { configuredUnits: ceilings.configured(ceilingName), setBy: actor, reason, setAt: at };
  return { policy: toWirePolicy(name), kind: toWireKind(kind), units: limit, windowHours, days: [...days], ceiling };
}

/** @throws KnowledgeError `validation_error` for a reason that is too long. */
export function requireReason(reason = ''): string {
  const { max } = bounds.reason;
  if (isLonger(reason, max)) throw new KnowledgeError('validation_error', `reason must be at most ${max} characters.`);
  return reason;
}

export function milliseconds({ seconds, nanos }: Duration): number {
  return seconds * 1000 + nanos / 1e6;
}
