import { Policy, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Limit } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { enumWords } from '../words.js';

const policies = enumWords(Policy, 'POLICY_');
const kinds = enumWords(SubjectKind, 'SUBJECT_KIND_');

export type LimitView = ReturnType<typeof presentLimit>;

/** Converts a limit of quota, with the days on which readers or writers used it up. */
export function presentLimit({ policy, kind, units, windowHours, days }: Limit) {
  return {
    policy: policies.fromWire(policy),
    counts: kinds.fromWire(kind),
    limit: units,
    window: windowHours === 1 ? 'hour' : 'day',
    used_up: days.map(({ day, subjects }) => ({ day, subjects })),
  };
}

/** How many times the limit was used up in the last 30 days. */
export function timesUsedUp({ used_up }: Pick<LimitView, 'used_up'>): number {
  return used_up.reduce((sum, { subjects }) => sum + subjects, 0);
}
