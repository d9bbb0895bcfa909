import { mailboxOf } from '@knowledge/runtime';
import { recogniseLanguage } from '@knowledge/runtime/language';
import type { Collection } from 'mongodb';
import type { Background, Compared } from '../checks/check.js';
import { type ReadText, readText } from '../checks/read-text.js';
import { assess } from '../checks/risk.js';
import { secretsIn } from '../checks/secrets.js';
import { isWaveOf } from '../checks/waves.js';
import type { Contribution } from '../domain/contribution.js';
import { nameTerms, searchTerms, uncomparedTerm } from '../domain/search-terms.js';
import { bandsOf } from '../similarity/bands.js';
import { shinglesOf } from '../similarity/shingles.js';
import type { Assessed, ContributionDocument } from './documents.js';
import { findSimilar, type Similar } from './similar.js';
import { countWaves, textWave } from './waves.js';

const dayMs = 86_400_000;
/** How many similar texts are compared at a submission. */
const compared = 8;

/** Compares a contribution with what is published. */
export type ComparePublished = (contribution: Contribution, signal: AbortSignal) => Promise<Compared>;

/**
 * Runs the checks and makes what moderators find the contribution by. It takes some milliseconds, and its queries read at
 * most some hundred entries of indexes.
 */
export async function assessContribution(
  contributions: Collection<ContributionDocument>,
  comparePublished: ComparePublished,
  contribution: Contribution,
  signal: AbortSignal,
  known: readonly string[] = [],
  text = readText(contribution),
): Promise<Assessed> {
  const shingles = shinglesOf(contribution.body, text);
  const similar = await findSimilar(contributions, contribution, compared, signal, shingles);
  const isIn = known.some((key) => isWaveOf(key, 'text'));
  const waves = isIn ? [...known] : [...known, ...(await textWave(contributions, contribution, similar, signal))];
  const background = await backgroundOf(contributions, comparePublished, contribution, text, similar[0], waves, signal);
  return {
    ...assess(text, background),
    terms: [...searchTerms(contribution), ...(background.published === 'unknown' ? [uncomparedTerm] : [])],
    bands: bandsOf(shingles),
    waves,
  };
}

async function backgroundOf(
  contributions: Collection<ContributionDocument>,
  comparePublished: ComparePublished,
  contribution: Contribution,
  { words }: ReadText,
  nearest: Similar | undefined,
  waves: readonly string[],
  signal: AbortSignal,
): Promise<Background> {
  const { email, authorizationId, submittedAt, body, language } = contribution;
  const mailbox = mailboxOf(email);
  const before = { $lt: submittedAt };
  const dayBefore = { $gte: new Date(submittedAt.getTime() - dayMs), ...before };
  const known = email !== '';
  const [rejected, earlier, ofAgentToday, { published, author }, secrets, recognised, counted, other] =
    await Promise.all([
      known
        ? contributions.countDocuments({ mailbox, state: 'rejected', submittedAt: before }, { signal, limit: 20 })
        : 0,
      known ? contributions.countDocuments({ mailbox, submittedAt: before }, { signal, limit: 1 }) : 1,
      known ? contributions.countDocuments({ authorizationId, submittedAt: dayBefore }, { signal, limit: 50 }) : 0,
      comparePublished(contribution, signal),
      secretsIn(words),
      recogniseLanguage(body),
      countWaves(contributions, waves, contribution, signal),
      findBorrowedName(contributions, contribution, signal),
    ]);
  const sameHuman = known && nearest !== undefined && mailboxOf(nearest.document.email) === mailbox;
  const similar = nearest && { percent: nearest.percent, sameHuman };
  const languages = { stated: language, recognised };
  const borrowed = other ?? author;
  return { rejected, earlier, ofAgentToday, nearest: similar, published, secrets, languages, waves: counted, borrowed };
}

/** The name of another human with published texts that looks like that of a contribution. */
async function findBorrowedName(
  contributions: Collection<ContributionDocument>,
  { name, email }: Contribution,
  signal: AbortSignal,
): Promise<string | undefined> {
  const terms = nameTerms(name ?? '');
  if (terms.length === 0) return undefined;
  const found = await contributions
    .find({ terms: { $in: terms }, state: 'published' }, { signal, hint: 'terms', projection: { name: 1, email: 1 } })
    .limit(20)
    .toArray();
  return found.find((each) => each.email !== '' && mailboxOf(each.email) !== mailboxOf(email))?.name ?? undefined;
}

/** Whether a change touches a text that moderators search or that the checks read. */
export function needsAssessment(before: Contribution, after: Contribution): boolean {
  return assessedFields.some((field) => before[field] !== after[field]);
}

const assessedFields = ['body', 'title', 'name', 'language', 'agentName'] as const;
