import type { Filter } from 'mongodb';
import type { ContributionDocument } from '../documents.js';

/** The orders in which moderators list contributions. */
export type RecordOrder = 'oldest' | 'newest' | 'risk';

/** The place of a contribution in any order. The next list page begins after it. */
export interface RecordPosition {
  /** -1 for a contribution that has not been assessed. */
  readonly risk: number;
  readonly at: Date;
  readonly id: string;
}

export const sortOf = {
  oldest: { submittedAt: 1, _id: 1 },
  newest: { submittedAt: -1, _id: -1 },
  risk: { risk: -1, submittedAt: 1, _id: 1 },
} as const;

export const positionOf = ({ risk = -1, submittedAt, _id }: ContributionDocument): RecordPosition => ({
  risk,
  at: submittedAt,
  id: _id,
});

/**
 * The filters of what comes after a position, in their order. Each is one range of an index, so the server never reads
 * over what came before.
 */
export function rangesAfter(order: RecordOrder, after: RecordPosition | undefined): Filter<ContributionDocument>[] {
  if (after === undefined) return [{}];
  const { risk, at: submittedAt, id } = after;
  if (order === 'newest') return [{ submittedAt, _id: { $lt: id } }, { submittedAt: { $lt: submittedAt } }];
  const younger = [{ submittedAt, _id: { $gt: id } }, { submittedAt: { $gt: submittedAt } }];
  if (order === 'oldest') return younger;
  // Null also finds contributions without a risk, which come last.
  const unknown = { risk: null } as unknown as Filter<ContributionDocument>;
  if (risk < 0) return younger.map((each) => ({ ...each, ...unknown }));
  return [...younger.map((each) => ({ ...each, risk })), { risk: { $lt: risk } }, unknown];
}
