import { KnowledgeError } from '@knowledge/runtime';
import type { Policy } from './policy.js';
import { addressBuckets, canonicalDigest, canonicalValue, type Subject } from './subject.js';

/** One policy that is applied to one subject. */
export interface Charge {
  readonly policy: Policy;
  /** The key of the subject's counter for this policy: the `_id` of the stored counter. */
  readonly key: string;
}

/** @throws KnowledgeError `validation_error` if the policy counts another kind of subject, or the value is invalid. */
export function createCharge(policy: Policy, subject: Subject): Charge {
  if (policy.kind !== subject.kind) {
    throw new KnowledgeError('validation_error', `The policy ${policy.name} counts subjects of kind ${policy.kind}.`);
  }
  const canonical = canonicalValue(subject);
  if (policy.limit > 0) return { policy, key: keyOf(policy, subject, canonical) };
  // A policy that is switched off seldom needs its key, and a hash costs more than the rest.
  return {
    policy,
    get key() {
      return keyOf(policy, subject, canonical);
    },
  };
}

/** The charges of one policy. An IPv6 address has one for each network around it, with a growing limit. */
export function createCharges(policy: Policy, subject: Subject): [Charge, ...Charge[]] {
  const own = createCharge(policy, subject);
  if (policy.kind !== 'address') return [own];
  const wider = addressBuckets(subject.value).slice(1);
  return [
    own,
    ...wider.map(({ network, factor }) => ({
      policy: { ...policy, limit: policy.limit * factor },
      key: keyOf(policy, subject, network),
    })),
  ];
}

function keyOf({ name }: Policy, { kind }: Subject, canonical: string): string {
  return `${name}:${canonicalDigest(kind, canonical)}`;
}
