import { randomUUID } from 'node:crypto';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ChangeSubject } from '@knowledge/proto/knowledge/content/v1/content';
import { PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import {
  PutSynonymRequest,
  PutSynonymsRequest,
  type PutSynonymsResponse,
} from '@knowledge/proto/knowledge/content/v1/search';
import { afterAll, expect, it } from 'vitest';
import { articleText, glossPut } from '../testing/put.js';
import { asEditor, openWatcher, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

const synonymPut = (id: string, words: string[], part: Partial<PutSynonymRequest> = {}): PutSynonymRequest =>
  PutSynonymRequest.fromPartial({ synonym: { id, words }, ...part } as object);
const putAll = (synonyms: object[], part: Partial<PutSynonymsRequest> = {}, { searchWords } = served) =>
  searchWords.putSynonyms(PutSynonymsRequest.fromPartial({ synonyms, ...part } as object), asEditor);
const listed = async () => (await served.searchWords.listSynonyms({}, asEditor)).synonyms;

it('keeps groups of synonyms with who changed them and when', async () => {
  const { searchWords } = served;
  const first = await searchWords.putSynonym(synonymPut('sso', ['SSO', 'single sign-on']), asEditor);
  expect(first.outcome).toBe(PutOutcome.CREATED);
  const again = await searchWords.putSynonym(synonymPut('sso', ['SSO', 'single sign-on']), asEditor);
  expect(again).toEqual({ ...first, outcome: PutOutcome.UNCHANGED });
  await searchWords.putSynonym(synonymPut('a-later-one', ['MFA', '2FA']), asEditor);
  const other = { ...asEditor, actor: 'other@test' };
  const changed = await searchWords.putSynonym(synonymPut('sso', ['SSO', 'one login'], { reason: 'clearer' }), other);
  expect(changed).toMatchObject({ outcome: PutOutcome.UPDATED, synonym: { updatedBy: 'other@test' } });
  expect((await listed()).map(({ id, words }) => [id, words])).toEqual([
    ['sso', ['SSO', 'one login']],
    ['a-later-one', ['MFA', '2FA']],
  ]);
  const log = await served.db.collection('changes').find({ key: 'sso' }).sort({ _id: 1 }).toArray();
  expect(log).toMatchObject([
    { subject: 'synonyms', transition: { from: '', to: 'set', actor: 'editor@test', reason: '' } },
    { subject: 'synonyms', transition: { from: 'set', to: 'set', actor: 'other@test', reason: 'clearer' } },
  ]);
});

it('only checks a group if asked to', async () => {
  const check = synonymPut('checked', ['a', 'b'], { validateOnly: true });
  expect((await served.searchWords.putSynonym(check, asEditor)).outcome).toBe(PutOutcome.CREATED);
  expect((await listed()).map(({ id }) => id)).not.toContain('checked');
  const refused = { code: 'validation_error' };
  const alone = served.searchWords.putSynonym(synonymPut('checked', ['a']), asEditor);
  await expect(alone).rejects.toMatchObject(refused);
  await expect(served.searchWords.putSynonym(check, { requestId: 'nobody' })).rejects.toMatchObject(refused);
});

it('puts many groups in their order in one transaction, and refuses only what is wrong', async () => {
  const { db } = served;
  const groups = [
    { id: 'many-a', words: ['alpha', 'first letter'] },
    { id: 'many-b', words: ['alone'] },
    { id: 'many-c', words: ['gamma', 'third letter'] },
    { id: 'many-a', words: ['alpha', 'the first letter'] },
  ];
  const resultsOf = ({ results }: PutSynonymsResponse) =>
    results.map(({ result }) => (result?.$case === 'outcome' ? result.value : result?.value.message));
  const fault = 'words must be 2 to 30 words or phrases.';
  const expected = [PutOutcome.CREATED, fault, PutOutcome.CREATED, PutOutcome.UPDATED];
  expect(resultsOf(await putAll(groups, { validateOnly: true }))).toEqual(expected);
  expect((await listed()).filter(({ id }) => id.startsWith('many'))).toEqual([]);
  expect(resultsOf(await putAll(groups, { reason: 'a list' }))).toEqual(expected);
  expect((await listed()).filter(({ id }) => id.startsWith('many'))).toMatchObject([
    { id: 'many-a', words: ['alpha', 'the first letter'], updatedBy: 'editor@test' },
    { id: 'many-c', words: ['gamma', 'third letter'], updatedBy: 'editor@test' },
  ]);
  const log = await db.collection('changes').find({ key: /^many/ }).sort({ _id: 1 }).toArray();
  const by = { actor: 'editor@test', reason: 'a list' };
  expect(log).toMatchObject([
    { key: 'many-a', transition: { ...by, from: '', to: 'set', revision: 1 } },
    { key: 'many-c', transition: { ...by, from: '', to: 'set', revision: 1 } },
    { key: 'many-a', transition: { ...by, from: 'set', to: 'set', revision: 2 } },
  ]);
  expect(Number(log[2]?._id) - Number(log[0]?._id)).toBe(2);
  expect(resultsOf(await putAll(groups.slice(2)))).toEqual([PutOutcome.UNCHANGED, PutOutcome.UNCHANGED]);
  for (const length of [0, 51]) {
    const many = Array.from({ length }, (_, at) => ({ id: `g${at}`, words: ['a', 'b'] }));
    const message = 'synonyms must be 1 to 50 groups.';
    await expect(putAll(many)).rejects.toMatchObject({ code: 'validation_error', message });
  }
});

it('takes as many of the longest groups as a call may have', async () => {
  const long = (at: number, length: number) =>
    Array.from({ length }, (_, word) => `${length}-${at}-${word}`.padEnd(80, '語'));
  const group = (at: number) => ({ id: `long-${at}`.padEnd(80, 'x'), words: long(at, 30), from: long(at, 10) });
  const synonyms = Array.from({ length: 50 }, (_, at) => group(at));
  const { results } = await putAll(synonyms, { reason: '語'.repeat(2_000), validateOnly: true });
  expect(results.map(({ result }) => result?.value)).toEqual(Array(50).fill(PutOutcome.CREATED));
});

it('deletes a group once, and lets the same call be repeated', async () => {
  const { searchWords } = served;
  await searchWords.putSynonym(synonymPut('gone', ['a', 'b']), asEditor);
  const call = { ...asEditor, requestId: randomUUID() };
  await searchWords.deleteSynonym({ id: 'gone', reason: 'wrong' }, call);
  await searchWords.deleteSynonym({ id: 'gone', reason: 'wrong' }, call);
  for (const id of ['gone', 'never-there', 'NO NAME']) {
    const unknown = searchWords.deleteSynonym({ id, reason: '' }, { ...call, requestId: randomUUID() });
    await expect(unknown).rejects.toMatchObject({ code: 'not_found' });
  }
});

it('has at most 1,000 groups', async () => {
  const full = await serveContent();
  try {
    const at = new Date();
    const fields = { words: ['a', 'b'], from: [], revision: 1, createdAt: at, updatedAt: at, updatedBy: 'x' };
    const groups = Array.from({ length: 1_000 }, (_, index) => ({ _id: `g${index}` as never, ...fields }));
    await full.db.collection('synonyms').insertMany(groups);
    const more = full.searchWords.putSynonym(synonymPut('more', ['a', 'c']), asEditor);
    await expect(more).rejects.toMatchObject({ code: 'validation_error' });
    await full.searchWords.putSynonym(synonymPut('g7', ['a', 'c']), asEditor);
    await full.searchWords.deleteSynonym({ id: 'g8', reason: '' }, asEditor);
    const three = ['g9', 'room', 'no-room'].map((id) => ({ id, words: ['a', 'd'] }));
    const { results } = await putAll(three, {}, full);
    expect(results.map(({ result }) => result?.$case)).toEqual(['outcome', 'outcome', 'error']);
    const { synonyms } = await full.searchWords.listSynonyms({}, asEditor);
    expect(synonyms).toHaveLength(1_000);
  } finally {
    await full.close();
  }
});

it('tells caches of texts about glosses, and only caches that ask about synonyms', async () => {
  const { searchWords } = served;
  await served.put('gemeldet', { language: 'de', tags: ['told'] });
  const plain = openWatcher(served);
  const search = openWatcher(served, 0, undefined, true);
  await Promise.all([plain.started, search.started]);
  await searchWords.putSynonym(synonymPut('told', ['a', 'b']), asEditor);
  await searchWords.putGloss(glossPut(articleText('gemeldet'), 'Told'), asEditor);
  await Promise.all([plain.ping(), search.ping()]);
  const gloss = { subject: ChangeSubject.ARTICLE, site: Site.ORG, key: 'gemeldet', tags: ['told'] };
  expect(plain.changes).toEqual([expect.objectContaining(gloss)]);
  const group = { subject: ChangeSubject.SYNONYMS, site: Site.UNSPECIFIED, key: 'told', tags: [] };
  expect(search.changes).toEqual([expect.objectContaining(group), expect.objectContaining(gloss)]);
  plain.call.cancel();
  search.call.cancel();
});
