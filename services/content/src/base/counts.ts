import { check } from './bounds.js';

const mostListed = 200;
const usuallyListed = 50;

/** The limit of a list of counts, or its usual one. */
export function checkLimit(limit: number) {
  check(limit >= 0 && limit <= mostListed, `limit must be 0 to ${mostListed}.`);
  return limit || usuallyListed;
}
