import type { Duration } from '@knowledge/proto/google/protobuf/duration';
import {
  Policy,
  SubjectKind,
  type Allowance as WireAllowance,
  type Charge as WireCharge,
  type Lease as WireLease,
  type Subject as WireSubject,
} from '@knowledge/proto/knowledge/quota/v1/quota';
import { refuse } from '@knowledge/runtime';
import { enumWords } from '@knowledge/runtime/wire';
import type { TurnName } from '../domain/consume-item.js';
import type { Allowance } from '../domain/decision.js';
import type { Policies } from '../domain/policy.js';
import { type Charge, createCharges, isLonger, type Subject } from '../domain/subject.js';

export const { toWire: toWirePolicy, require: requirePolicy } = enumWords('policy', Policy);
const kinds = enumWords('subject.kind', SubjectKind);
export const toWireKind = kinds.toWire;

const maxLeaseId = 64;

/** @throws KnowledgeError `validation_error` for an invalid policy or subject. */
export function requireCharges({ policy, subject }: WireCharge, policies: Policies): [Charge, ...Charge[]] {
  return createCharges(policies[requirePolicy(policy)], requireSubject(subject));
}

/** @throws KnowledgeError `validation_error` if the kind is missing. The value is checked later. */
export function requireSubject(subject: WireSubject | undefined): Subject {
  if (subject === undefined) refuse('subject is required');
  return { kind: kinds.require(subject.kind), value: subject.value };
}

/** @throws KnowledgeError `validation_error` if the id or the number of the turn is invalid. */
export function requireTurn({ id, turn }: WireLease): TurnName {
  if (id === '' || isLonger(id, maxLeaseId) || turn < 1) {
    refuse(`lease must have an id of 1 to ${maxLeaseId} characters and a turn from 1`);
  }
  return { id, turn };
}

export function toWireAllowance({ policy, remaining, resetAt }: Allowance): WireAllowance {
  return { policy: toWirePolicy(policy.name), limit: policy.limit, remaining, resetAt: new Date(resetAt) };
}

export function milliseconds({ seconds, nanos }: Duration): number {
  return seconds * 1000 + nanos / 1e6;
}
