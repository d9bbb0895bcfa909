import { KnowledgeError } from '@knowledge/runtime';
import type { Policy } from './policy.js';
import { type Subject, subjectDigest } from './subject.js';

/** One policy applied to one subject. */
export interface Charge {
  readonly policy: Policy;
  /** Identifies the subject under the policy: the `_id` of its counter. */
  readonly key: string;
}

/** @throws KnowledgeError `validation_error` if the policy counts another kind, or the value is none of its kind. */
export function createCharge(policy: Policy, subject: Subject): Charge {
  if (policy.kind !== subject.kind) {
    throw new KnowledgeError('validation_error', `The policy ${policy.name} counts subjects of kind ${policy.kind}.`);
  }
  return { policy, key: `${policy.name}:${subjectDigest(subject)}` };
}
