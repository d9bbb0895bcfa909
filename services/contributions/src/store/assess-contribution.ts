import { withoutHiddenCharacters } from '@knowledge/runtime';
import { recogniseLanguage } from '@knowledge/runtime/language';
import type { Collection } from 'mongodb';
import type { Background } from '../checks/check.js';
import { assess } from '../checks/risk.js';
import { secretsIn } from '../checks/secrets.js';
import type { Contribution } from '../domain/contribution.js';
import { searchTerms, uncomparedTerm } from '../domain/search-terms.js';
import { bandsOf } from '../similarity/bands.js';
import type { LikeText } from '../similarity/like-text.js';
import { shinglesOf } from '../similarity/shingles.js';
import type { Assessed, ContributionDocument } from './documents.js';
import { findSimilar } from './similar.js';

const dayMs = 86_400_000;
/** How many similar texts are compared at a submission. */
const compared = 8;

/** Finds the published text that has most of a contribution; `unknown` if content does not answer. */
export type FindLike = (contribution: Contribution, signal: AbortSignal) => Promise<LikeText | 'unknown' | undefined>;

/**
 * Runs the checks and makes what moderators find the contribution by. It takes some milliseconds, and its queries read at
 * most some hundred entries of indexes.
 */
export async function assessContribution(
  contributions: Collection<ContributionDocument>,
  findLike: FindLike,
  contribution: Contribution,
  signal: AbortSignal,
): Promise<Assessed> {
  const background = await backgroundOf(contributions, findLike, contribution, signal);
  return {
    ...assess(contribution, background),
    terms: [...searchTerms(contribution), ...(background.published === 'unknown' ? [uncomparedTerm] : [])],
    bands: bandsOf(shinglesOf(contribution.body)),
  };
}

async function backgroundOf(
  contributions: Collection<ContributionDocument>,
  findLike: FindLike,
  contribution: Contribution,
  signal: AbortSignal,
): Promise<Background> {
  const { email, authorizationId, submittedAt, title, name, body, language } = contribution;
  const before = { $lt: submittedAt };
  const dayBefore = { $gte: new Date(submittedAt.getTime() - dayMs), ...before };
  const known = email !== '';
  const [rejected, earlier, ofAgentToday, [nearest], published, secrets, recognised] = await Promise.all([
    known ? contributions.countDocuments({ email, state: 'rejected', submittedAt: before }, { signal, limit: 20 }) : 0,
    known ? contributions.countDocuments({ email, submittedAt: before }, { signal, limit: 1 }) : 1,
    known ? contributions.countDocuments({ authorizationId, submittedAt: dayBefore }, { signal, limit: 50 }) : 0,
    findSimilar(contributions, contribution, compared, signal),
    findLike(contribution, signal),
    secretsIn(withoutHiddenCharacters([title, name, body].join('\n'))),
    recogniseLanguage(body),
  ]);
  const sameHuman = known && nearest?.document.email === email;
  const similar = nearest && { percent: nearest.percent, sameHuman };
  const languages = { stated: language, recognised };
  return { rejected, earlier, ofAgentToday, nearest: similar, published, secrets, languages };
}

/** Whether a change touches a text that moderators search or that the checks read. */
export function needsAssessment(before: Contribution, after: Contribution): boolean {
  return assessedFields.some((field) => before[field] !== after[field]);
}

const assessedFields = ['body', 'title', 'name', 'language', 'agentName'] as const;
