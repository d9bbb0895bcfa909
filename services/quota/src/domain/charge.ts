import { KnowledgeError } from '@knowledge/runtime';
import type { Policy } from './policy.js';
import { type Subject, subjectDigest } from './subject.js';

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
  return { policy, key: `${policy.name}:${subjectDigest(subject)}` };
}
