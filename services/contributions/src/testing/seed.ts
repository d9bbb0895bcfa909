import { kinds } from '@knowledge/runtime/product';
import type { Db } from 'mongodb';
import type { Contribution } from '../domain/contribution.js';
import { languageOf, makeContribution } from '../domain/submission.js';
import { Assessor } from '../store/assessment.js';
import { type ContributionDocument, toContributionDocument } from '../store/contribution-document.js';
import { contributionsSchema } from '../store/schema.js';
import { submissionOf } from './texts.js';

/** Stores a contribution directly, without a charge. `stored` replaces fields of the document. */
export async function seedContribution(
  db: Db,
  fields: Partial<
    Pick<
      Contribution,
      'type' | 'purpose' | 'email' | 'name' | 'title' | 'body' | 'prompt' | 'submittedAt' | 'authorizationId'
    >
  > = {},
  stored: Partial<ContributionDocument> = {},
): Promise<Contribution> {
  const { type = 'story', email = 'jo@example.org', submittedAt = new Date(), authorizationId = 'a1' } = fields;
  const { title, body, contributor, ...sent } = submissionOf();
  const submission = {
    ...{ ...sent, type, title: kinds[type].lines.includes('title') ? (fields.title ?? title) : undefined },
    ...{ body: fields.body ?? body, name: fields.name ?? 'Jo', purpose: fields.purpose ?? undefined },
    contributor: { ...contributor, email, authorizationId },
  };
  const made = makeContribution(submission, undefined, await languageOf(submission), submittedAt);
  const contribution = { ...made, prompt: fields.prompt ?? null };
  const contributions = db.collection<ContributionDocument>('contributions');
  const { signal } = new AbortController();
  const assessed = await new Assessor(contributions, async () => ({})).assess(contribution, signal);
  await contributions.insertOne({ ...toContributionDocument(contribution), ...assessed, ...stored });
  return contribution;
}

/** The indexes that the checks use, for a database without the schema. */
export const indexesOfChecks = contributionsSchema.flatMap(({ name, indexes = [] }) =>
  name === 'contributions'
    ? indexes.filter(({ name }) => ['own', 'bands', 'waves', 'terms'].includes(name)).map((each) => ({ ...each }))
    : [],
);
