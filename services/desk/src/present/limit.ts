import { Policy, SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import type { Ceiling, Limit } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { timestamp } from '../print/time.js';
import { enumWords } from '../words.js';

const policies = enumWords(Policy);
const kinds = enumWords(SubjectKind);

export type LimitView = ReturnType<typeof presentLimit>;

/** Converts a limit of quota, with the days on which readers or writers used it up. */
export function presentLimit({ policy, kind, units, windowHours, days, ceiling }: Limit) {
  return {
    policy: policies.fromWire(policy),
    counts: kinds.fromWire(kind),
    limit: units,
    window: windowHours === 1 ? 'hour' : 'day',
    used_up: days.map(({ day, subjects }) => ({ day, subjects })),
    ceiling: ceiling === undefined ? null : presentCeiling(ceiling),
  };
}

function presentCeiling({ configuredUnits, setBy, setAt, reason }: Ceiling) {
  const configured = { configured: configuredUnits };
  return { ...configured, set_by: setBy || null, set_at: timestamp(setAt), reason: reason || null };
}

/** The ceilings: limits that administrators set. */
export const ceilingPolicies = [
  'read_address_cap',
  'authorize_address',
  'authorize_domain',
  'authorize_service',
  'link_address',
] as const;

export const toWirePolicy = policies.toWire;

/** The value of a limit in words. */
export function limitValue(units: number): string {
  return units === 0 ? 'off' : String(units);
}

/** How many times the limit was used up in the last 30 days. */
export function timesUsedUp({ used_up }: Pick<LimitView, 'used_up'>): number {
  return used_up.reduce((sum, { subjects }) => sum + subjects, 0);
}
