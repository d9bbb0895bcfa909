import type { Collection } from 'mongodb';
import type { Background } from '../checks/check.js';
import { assess } from '../checks/risk.js';
import type { Contribution } from '../domain/contribution.js';
import { searchTerms } from '../domain/search-terms.js';
import { bandsOf } from '../similarity/bands.js';
import { shinglesOf } from '../similarity/shingles.js';
import type { Assessed, ContributionDocument } from './documents.js';
import { findSimilar } from './similar.js';

const dayMs = 86_400_000;
/** How many similar texts are compared at a submission. */
const compared = 8;

/**
 * Runs the checks and makes what moderators find the contribution by. It takes some milliseconds, and its queries read at
 * most some hundred entries of indexes.
 */
export async function assessContribution(
  contributions: Collection<ContributionDocument>,
  contribution: Contribution,
  signal: AbortSignal,
): Promise<Assessed> {
  const background = await backgroundOf(contributions, contribution, signal);
  return {
    ...assess(contribution, background),
    terms: searchTerms(contribution),
    bands: bandsOf(shinglesOf(contribution.body)),
  };
}

async function backgroundOf(
  contributions: Collection<ContributionDocument>,
  contribution: Contribution,
  signal: AbortSignal,
): Promise<Background> {
  const { email, authorizationId, submittedAt } = contribution;
  const before = { $lt: submittedAt };
  const dayBefore = { $gte: new Date(submittedAt.getTime() - dayMs), ...before };
  const known = email !== '';
  const [rejected, earlier, ofAgentToday, [nearest]] = await Promise.all([
    known ? contributions.countDocuments({ email, state: 'rejected', submittedAt: before }, { signal, limit: 20 }) : 0,
    known ? contributions.countDocuments({ email, submittedAt: before }, { signal, limit: 1 }) : 1,
    known ? contributions.countDocuments({ authorizationId, submittedAt: dayBefore }, { signal, limit: 50 }) : 0,
    findSimilar(contributions, contribution, compared, signal),
  ]);
  const sameHuman = known && nearest?.document.email === email;
  return { rejected, earlier, ofAgentToday, nearest: nearest && { percent: nearest.percent, sameHuman } };
}

/** Whether a change touches a text that moderators search or that the checks read. */
export function needsAssessment(before: Contribution, after: Contribution): boolean {
  return assessedFields.some((field) => before[field] !== after[field]);
}

const assessedFields = ['body', 'title', 'name', 'language', 'agentName'] as const;
