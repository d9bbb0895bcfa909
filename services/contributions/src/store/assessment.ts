import { later, mailboxOf } from '@knowledge/runtime';
import { recogniseLanguage } from '@knowledge/runtime/language';
import { abortable } from '@knowledge/runtime/mongodb';
import { writtenNames } from '@knowledge/runtime/product';
import type { Abortable, Collection, Db, Filter, FindOptions, WithId } from 'mongodb';
import { type Background, type Compared, type ReadText, readText } from '../checks/check.js';
import { secretsIn } from '../checks/personal-data.js';
import { assess } from '../checks/risk.js';
import { bandsOf, shinglesOf } from '../checks/similarity.js';
import { isWaveOf } from '../checks/waves.js';
import type { Contribution } from '../domain/contribution.js';
import { nameTerms, searchTerms, uncomparedTerm } from '../domain/search-terms.js';
import { type Assessed, type ContributionDocument, contributionsOf, toContribution } from './contribution-document.js';
import { findSimilar, type Similar } from './related-work.js';
import { countWaves, createWaveRaiser, textWave, wavesOf } from './waves.js';

const dayMs = 86_400_000;
/** How many similar texts are compared at a submission. */
const compared = 8;

/** Compares a contribution with what is published. */
export type ComparePublished = (contribution: Contribution, signal: AbortSignal) => Promise<Compared>;

/** Runs the checks and makes what moderators find a contribution by. */
export class Assessor {
  constructor(
    private readonly contributions: Collection<ContributionDocument>,
    private readonly comparePublished: ComparePublished,
  ) {}

  /**
   * Takes some milliseconds, and its queries read at most some hundred entries of indexes. `known` are the waves that it
   * is in already.
   */
  async assess(
    contribution: Contribution,
    signal: AbortSignal,
    known: readonly string[] = [],
    text = readText(contribution),
  ): Promise<Assessed> {
    const { contributions } = this;
    const shingles = shinglesOf(contribution.body, text);
    const similar = await findSimilar(contributions, contribution, compared, signal, shingles);
    const isIn = known.some((key) => isWaveOf(key, 'text'));
    const waves = isIn ? [...known] : [...known, ...(await textWave(contributions, contribution, similar, signal))];
    const background = await this.backgroundOf(contribution, text, similar[0], waves, signal);
    return {
      ...assess(text, background),
      terms: [...searchTerms(contribution), ...(background.published === 'unknown' ? [uncomparedTerm] : [])],
      bands: bandsOf(shingles),
      waves,
    };
  }

  private async backgroundOf(
    contribution: Contribution,
    { words }: ReadText,
    nearest: Similar | undefined,
    waves: readonly string[],
    signal: AbortSignal,
  ): Promise<Background> {
    const { email, authorizationId, submittedAt, body, language } = contribution;
    const mailbox = mailboxOf(email);
    const before = { $lt: submittedAt };
    const dayBefore = { $gte: later(submittedAt, -dayMs), ...before };
    const known = email !== '';
    const count = (filter: Filter<ContributionDocument>, limit: number) =>
      this.contributions.countDocuments(filter, { signal, limit });
    const [rejected, earlier, ofAgentToday, { published, author }, secrets, recognised, counted, other] =
      await Promise.all([
        known ? count({ mailbox, state: 'rejected', submittedAt: before }, 20) : 0,
        known ? count({ mailbox, submittedAt: before }, 1) : 1,
        known ? count({ authorizationId, submittedAt: dayBefore }, 50) : 0,
        this.comparePublished(contribution, signal),
        secretsIn(words),
        recogniseLanguage(body),
        countWaves(this.contributions, waves, contribution, signal),
        this.findBorrowedName(contribution, signal),
      ]);
    const sameHuman = known && nearest !== undefined && mailboxOf(nearest.document.email) === mailbox;
    const similar = nearest && { percent: nearest.percent, sameHuman };
    const languages = { stated: language, recognised };
    const borrowed = other ?? author;
    return {
      rejected,
      earlier,
      ofAgentToday,
      nearest: similar,
      published,
      secrets,
      languages,
      waves: counted,
      borrowed,
    };
  }

  /** The name of another human with published texts that looks like that of a contribution. */
  private async findBorrowedName({ name, email }: Contribution, signal: AbortSignal) {
    const terms = nameTerms(name ?? '');
    if (terms.length === 0) return undefined;
    const found = await this.contributions
      .find({ terms: { $in: terms }, state: 'published' }, { signal, hint: 'terms', projection: { name: 1, email: 1 } })
      .limit(20)
      .toArray();
    return found.find((each) => each.email !== '' && mailboxOf(each.email) !== mailboxOf(email))?.name ?? undefined;
  }
}

/** Whether a change touches a text that moderators search or that the checks read. */
export function needsAssessment(before: Contribution, after: Contribution): boolean {
  return assessedFields.some((field) => before[field] !== after[field]);
}

const assessedFields = [...writtenNames, 'agentName'] as const;

/**
 * The contributions without an assessment: new ones, and those with a new text. Behind them come those that
 * could not be compared with published texts.
 */
export function createBacklog(db: Db, comparePublished: ComparePublished, ownHosts: ReadonlySet<string> = new Set()) {
  const contributions = contributionsOf(db);
  const assessor = new Assessor(contributions, comparePublished);
  const raise = createWaveRaiser(contributions);
  const next = (filter: Filter<ContributionDocument>, options: FindOptions & Abortable) =>
    contributions.find(filter, { ...options, projection: { 'textChanges.before': 0 }, limit: batchSize }).toArray();
  let lookedAgainAt = '';

  const assessAll = async (
    waiting: readonly WithId<ContributionDocument>[],
    still: Filter<ContributionDocument>,
    signal: AbortSignal,
  ) => {
    const store = async (some: readonly WithId<ContributionDocument>[], fields: readonly Partial<Assessed>[]) => {
      const writes = some.map(({ _id, revision }, at) => ({
        updateOne: { filter: { ...still, _id, revision }, update: { $set: fields[at] ?? {} } },
      }));
      await contributions.bulkWrite(writes, { ...abortable(signal), ordered: false });
    };
    const texts = waiting.map(readText);
    // What they have in common comes first, so that texts of one batch find each other. Terms come last, and end the work.
    const common = await inTurns(waiting, async (document, at) => ({
      bands: bandsOf(shinglesOf(document.body, texts[at])),
      waves: await wavesOf(contributions, document, texts[at] as ReadText, ownHosts, signal),
    }));
    await store(waiting, common);
    const assessed = await inTurns(waiting, async (document, at) => {
      const waves = common[at]?.waves;
      const done = await assessor.assess(toContribution(document), signal, waves, texts[at]);
      await store([document], [done]);
      return done;
    });
    for (const [at, done] of assessed.entries()) await raise(waiting[at] as ContributionDocument, done, signal);
    return assessed;
  };

  return {
    /** Assesses the next ones, at most 50. Returns how many are done. It may stop anywhere, and run in many replicas. */
    async assessNext(signal: AbortSignal) {
      // The index of terms has an entry for a document without terms.
      const isNew = { terms: { $exists: false } };
      const waiting = await next(isNew, { signal });
      if (waiting.length > 0) return (await assessAll(waiting, isNew, signal)).length;
      const isUncompared = { terms: uncomparedTerm };
      const again = await next({ ...isUncompared, _id: { $gt: lookedAgainAt } }, { signal, sort: { _id: 1 } });
      lookedAgainAt = again.length < batchSize ? '' : (again.at(-1)?._id ?? '');
      if (again.length === 0) return 0;
      const assessed = await assessAll(again, isUncompared, signal);
      return assessed.filter(({ terms }) => !terms.includes(uncomparedTerm)).length;
    },
  };
}

export type Backlog = ReturnType<typeof createBacklog>;

const batchSize = 50;
/** Each makes about ten queries side by side, and the calls of agents need connections of the same pool. */
const atOnce = 2;

async function inTurns<Item, Result>(items: readonly Item[], run: (item: Item, at: number) => Promise<Result>) {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += atOnce) {
    const some = items.slice(from, from + atOnce);
    results.push(...(await Promise.all(some.map((item, at) => run(item, from + at)))));
  }
  return results;
}
