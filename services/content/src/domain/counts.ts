import { KnowledgeError } from '@knowledge/runtime';

const mostListed = 200;
const usuallyListed = 50;

/** @throws KnowledgeError `validation_error` with this fault. */
export function check(isRight: boolean, fault: string): asserts isRight {
  if (!isRight) throw new KnowledgeError('validation_error', fault);
}

/** The limit of a list of counts, or its usual one. */
export function checkLimit(limit: number) {
  check(limit >= 0 && limit <= mostListed, `limit must be 0 to ${mostListed}.`);
  return limit || usuallyListed;
}
