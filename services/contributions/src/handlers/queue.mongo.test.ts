import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import {
  ContributionState,
  ContributionType,
  InquiryPurpose,
} from '@knowledge/proto/knowledge/contributions/v1/contributions';
import {
  ContributionFilter,
  ListContributionRecordsRequest,
  RecordOrder,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { workerContext } from '@knowledge/runtime';
import { allPages } from '@knowledge/runtime/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Contribution } from '../domain/contribution.js';
import { createBacklog } from '../store/assessment.js';
import { createAuthorizationStore } from '../store/authorizations.js';
import type { ContributionDocument } from '../store/contribution-document.js';
import { createContributionStore } from '../store/contributions.js';
import { seedContribution } from '../testing/seed.js';
import { by, serveErasures, startReplicas } from '../testing/start-replicas.js';

const signal = new AbortController().signal;

const erasures = await serveErasures();
const service = await startReplicas('queue', { env: erasures.env });
const [replica] = service.replicas;
afterAll(() => erasures.close());

type Filter = Partial<ContributionFilter>;

async function list({ filter = {}, ...part }: { filter?: Filter; order?: RecordOrder; idPrefix?: string }) {
  const asked = { ...ListContributionRecordsRequest.fromPartial({ filter: {}, pageSize: 3 }), ...part };
  const request = { ...asked, filter: { ...ContributionFilter.fromPartial({}), ...filter } };
  const pages = await allPages((pageToken) =>
    replica.moderation.listContributionRecords({ ...request, pageToken }, by()),
  );
  const found = pages.flatMap(({ contributions }) => contributions);
  return { ids: found.map(({ contribution }) => contribution?.id ?? ''), risks: found.map(({ risk }) => risk) };
}
/** A word that no other text has. */
const newWord = () => `w${randomUUID().replaceAll('-', '')}`;
const documents = service.db.collection<ContributionDocument>('contributions');

const idsOf = async (filter: Filter) => (await list({ filter })).ids;

describe('ListContributionRecords', () => {
  const word = 'quokka';
  const seeded: { id: string; at: number; risk: number }[] = [];

  beforeAll(async () => {
    // Some have the same time, some the same risk, and one has not been assessed.
    const risks = [10, 40, 40, 0, 40, 10, 0, 90];
    for (const [at, risk] of risks.entries()) {
      const submittedAt = new Date(Date.UTC(2021, 0, 1, 0, Math.floor(at / 2)));
      const { id } = await seedContribution(service.db, { submittedAt, body: `A text about the ${word}.` }, { risk });
      seeded.push({ id, at: submittedAt.getTime(), risk });
    }
    await documents.updateOne({ _id: seeded[3]?.id as string }, { $unset: { risk: 1 } });
    (seeded[3] as { risk: number }).risk = -1;
  });

  const sorted = (compare: (one: (typeof seeded)[0], other: (typeof seeded)[0]) => number): string[] =>
    seeded.toSorted((one, other) => compare(one, other) || (one.id < other.id ? -1 : 1)).map(({ id }) => id);

  it.each<Filter>([{ query: word }, { sentSince: new Date('2021-01-01'), sentBefore: new Date('2021-01-02') }])(
    'pages in every order without loss and repetition, by %j',
    async (filter) => {
      const oldest = sorted((one, other) => one.at - other.at);
      expect((await list({ filter })).ids).toEqual(oldest);
      expect((await list({ filter, order: RecordOrder.NEWEST })).ids).toEqual(oldest.toReversed());
      const byRisk = sorted((one, other) => other.risk - one.risk || one.at - other.at);
      const found = await list({ filter, order: RecordOrder.RISK });
      expect(found.ids).toEqual(byRisk);
      expect(found.risks[0]).toBe(90);
    },
  );

  it('pages all contributions by risk, the not assessed ones last', async () => {
    const { ids } = await list({ order: RecordOrder.RISK, filter: { states: [ContributionState.PENDING_REVIEW] } });
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => seeded.some((each) => each.id === id))).toEqual(
      sorted((one, other) => other.risk - one.risk || one.at - other.at),
    );
    expect(ids.at(-1)).toBe(seeded[3]?.id);
  });

  it('combines states, types, site, language, agent, e-mail, time and words', async () => {
    const tag = newWord();
    const mine = `${tag}@example.org`;
    const body = `${tag} Przenieśliśmy bazę danych w jeden weekend, nikt tego nie zauważył.`;
    const closed = { state: 'closed', site: 'io' } as const;
    const polish = await seedContribution(service.db, { type: 'inquiry', email: mine, body }, closed);
    const story = await seedContribution(service.db, { title: `Größe ${tag}`, name: 'Zoë' });
    const reply = await seedContribution(service.db, {
      type: 'prompt_reply',
      body: `${tag} it went well.`,
      prompt: { id: 'p', question: 'What about marsupials?' },
    });
    const found = (filter: Filter) => idsOf({ ...filter, query: `${tag} ${filter.query ?? ''}` });
    expect(await found({})).toEqual([polish.id, story.id, reply.id]);
    expect(await found({ states: [ContributionState.CLOSED, ContributionState.REJECTED] })).toEqual([polish.id]);
    const types = [ContributionType.STORY, ContributionType.PROMPT_REPLY];
    expect(await found({ types })).toEqual([story.id, reply.id]);
    expect(await found({ site: Site.IO })).toEqual([polish.id]);
    expect(await found({ language: 'PL' })).toEqual([polish.id]);
    expect(await found({ agentName: 'átlas' })).toHaveLength(3);
    expect(await found({ agentName: 'other' })).toEqual([]);
    expect(await found({ email: mine.toUpperCase() })).toEqual([polish.id]);
    expect(await found({ sentBefore: polish.submittedAt })).toEqual([]);
    expect(await found({ query: 'grosse ZOE' })).toEqual([story.id]);
    expect(await found({ query: 'marsupials' })).toEqual([reply.id]);
    expect(await found({ query: 'marsupials zoe' })).toEqual([]);
  });

  it('finds inquiries by purpose, and puts reports first by risk', async () => {
    const tag = newWord();
    const inquire = (purpose: Contribution['purpose']) => {
      const body = `About it: ${tag} ${purpose}.`;
      return seedContribution(service.db, { type: 'inquiry', purpose, authorizationId: tag, body });
    };
    const question = await inquire('question');
    const correction = await inquire('correction');
    const report = await inquire('report');
    await seedContribution(service.db, { body: `A story about ${tag}.` });
    const { QUESTION, CORRECTION, REPORT } = InquiryPurpose;
    expect(await idsOf({ query: tag, purpose: QUESTION })).toEqual([question.id]);
    expect(await idsOf({ query: tag, purpose: CORRECTION })).toEqual([correction.id]);
    expect(await idsOf({ query: tag, purpose: REPORT, types: [ContributionType.STORY] })).toEqual([]);
    const [first] = (await list({ filter: { query: tag }, order: RecordOrder.RISK })).ids;
    expect(first).toBe(report.id);
    const asked = { filter: ContributionFilter.fromPartial({ query: tag, purpose: QUESTION }) };
    expect((await replica.moderation.countContributionRecords(asked, by())).counts).toMatchObject([{ count: 1 }]);
    // News of a text are asked for before it was checked.
    await documents.updateOne({ _id: report.id }, { $unset: { terms: 1 } });
    expect((await list({ filter: { purpose: REPORT }, idPrefix: report.id })).ids).toEqual([report.id]);
    expect((await list({ filter: { purpose: CORRECTION }, idPrefix: report.id })).ids).toEqual([]);
    // Without words, questions are counted among all inquiries, which other tests store too.
    const all = { filter: ContributionFilter.fromPartial({ purpose: QUESTION }) };
    const { counts } = await replica.moderation.countContributionRecords(all, by());
    expect(new Set(counts.map(({ type }) => type))).toEqual(new Set([ContributionType.INQUIRY]));
  });

  it('refuses a language that does not exist, a query without words, and a token of another list', async () => {
    for (const filter of <Filter[]>[{ language: 'english' }, { query: '!' }]) {
      await expect(list({ filter })).rejects.toMatchObject({ code: 'validation_error' });
    }
    const asked = ListContributionRecordsRequest.fromPartial({ pageToken: 'x' });
    const foreign = replica.moderation.listContributionRecords(asked, by());
    await expect(foreign).rejects.toMatchObject({ code: 'validation_error' });
  });
});

describe('CountContributionRecords', () => {
  const count = async (filter: Filter) => {
    const request = { filter: { ...ContributionFilter.fromPartial({}), ...filter } };
    const { counts, atLeast } = await replica.moderation.countContributionRecords(request, by());
    return { atLeast, counts: counts.map((each) => [each.state, each.type, each.site, each.count]) };
  };

  it('counts by state, type and site, with and without words', async () => {
    const word = newWord();
    const submittedAt = new Date('2019-05-05');
    for (const state of ['rejected', 'rejected', 'approved'] as const) {
      await seedContribution(service.db, { submittedAt, body: `Some text ${word}.` }, { state });
    }
    const body = 'Another one, without it.';
    await seedContribution(service.db, { submittedAt, type: 'inquiry', body }, { site: 'io' });
    const { STORY, INQUIRY } = ContributionType;
    const stories = [
      [ContributionState.REJECTED, STORY, Site.ORG, 2],
      [ContributionState.APPROVED, STORY, Site.ORG, 1],
    ];
    const byWord = await count({ query: word });
    expect(byWord.atLeast).toBe(false);
    expect(byWord.counts).toEqual(expect.arrayContaining(stories));
    const thatYear = await count({ sentSince: new Date('2019-01-01'), sentBefore: new Date('2020-01-01') });
    const waiting = [ContributionState.PENDING_REVIEW, INQUIRY, Site.IO, 1];
    expect(new Set(thatYear.counts)).toEqual(new Set([...stories, waiting]));
    expect(await count({ query: `${word} nothing${word}` })).toEqual({ atLeast: false, counts: [] });
  });
});

describe('an assessment', () => {
  it('finds near duplicates, earlier rejections and odd characters, and moderators get it', async () => {
    const email = `${randomUUID()}@example.org`;
    const body = `We moved ${randomUUID()} in one weekend, and on Monday nobody noticed that it was gone.`;
    const earlier = { email, body, submittedAt: new Date('2022-01-01') };
    await seedContribution(service.db, earlier, { state: 'rejected' });
    const { id } = await seedContribution(service.db, { email, body: `${body}\u200b See http://bit.ly/x!` });
    const contribution = await replica.record(id);
    expect(contribution.checks.map(({ check }) => check)).toEqual([
      ...['short_link', 'near_duplicate', 'hidden_characters', 'rejected_before', 'links'],
    ]);
    const { REJECTED: state } = ContributionState;
    expect(contribution.similar).toMatchObject([{ state, sameHuman: true, beginning: body }]);
    expect(contribution?.similar[0]?.percent).toBeGreaterThan(70);
    const newest = [{ state, title: 'What we learned', beginning: body }];
    expect(contribution.ofHuman).toMatchObject({ counts: [{ state, count: 1 }], newest });
    expect(contribution?.ofAgent?.newest).toHaveLength(5);
    expect(contribution?.risk).toBe(contribution?.checks.reduce((sum, { weight }) => sum + weight, 0));
  });

  it('loses what it says about a human who is erased', async () => {
    const word = newWord();
    const email = `${word}@example.org`;
    const sent = { email, name: word, body: 'A published text, with javascript:alert(1).' };
    const { id } = await seedContribution(service.db, sent, { state: 'published', publishedAt: new Date() });
    expect(await idsOf({ query: word })).toEqual([id]);
    await replica.moderation.eraseContributor(erasures.confirm(email), by());
    expect(await idsOf({ query: word })).toEqual([]);
    expect(await replica.record(id)).toMatchObject({ risk: 0, checks: [] });
  });

  it('is made anew for a new text', async () => {
    const word = newWord();
    const { id } = await seedContribution(service.db, { body: `A text about ${word}.` });
    const changed = (before: Contribution) => ({
      contribution: { ...before, body: `Another text, javascript:${word}.`, revision: before.revision + 1 },
      notices: [],
    });
    const store = createContributionStore(service.db, createAuthorizationStore(service.db), () => undefined);
    await store.change(id, changed, workerContext(signal, new Date()));
    await createBacklog(service.db, async () => ({})).assessNext(signal);
    expect(await idsOf({ query: `another ${word}` })).toEqual([id]);
    expect((await list({ filter: { query: word } })).risks[0]).toBeGreaterThanOrEqual(25);
  });

  it('is added to a contribution that has none, once', async () => {
    const word = newWord();
    const { id } = await seedContribution(service.db, {
      ...{ email: `${word}@example.org`, authorizationId: word },
      body: `An old text, ${word}, and javascript:alert(1).`,
    });
    await documents.updateOne({ _id: id }, { $unset: { terms: 1, bands: 1, risk: 1, findings: 1 } });
    expect(await idsOf({ query: word })).toEqual([]);
    // The worker of a replica may do it first.
    await createBacklog(service.db, async () => ({})).assessNext(signal);
    expect(await idsOf({ query: word })).toEqual([id]);
    const findings = [{ check: 'markup' }, { check: 'first_contribution' }];
    expect(await documents.findOne({ _id: id })).toMatchObject({ risk: 30, findings });
    expect(await createBacklog(service.db, async () => ({})).assessNext(signal)).toBe(0);
  });
});
