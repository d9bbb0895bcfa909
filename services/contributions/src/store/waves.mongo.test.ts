import { workerContext } from '@knowledge/runtime';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { networkWave } from '../checks/waves.js';
import { indexesOfChecks, seedContribution } from '../testing/seed.js';
import { createBacklog } from './assessment.js';
import type { ContributionDocument } from './contribution-document.js';
import { createPersonalDataStore } from './personal-data.js';

const mongo = openTestDatabase('waves');
const contributions = mongo.db.collection<ContributionDocument>('contributions');
beforeAll(() => contributions.createIndexes(indexesOfChecks));
afterEach(() => contributions.deleteMany());
afterAll(() => mongo.close());

const { signal } = new AbortController();
const now = Date.now();
const hour = 3_600_000;
const backlog = createBacklog(mongo.db, async () => ({}), new Set(['k.example']));

const words = 'anchor barrel candle dagger ember falcon garnet harbor island jacket kernel lantern magnet'.split(' ');

/** A text that is like no other one. */
const ownText = (at: number) => `${words.map((word, place) => `${word}${(at * 31 + place * 17) % 97}`).join(' ')}.`;

async function send({ body, email, hoursAgo = 1, network = '' }: Record<string, string | number> & { body: string }) {
  const fields = { body, email: String(email), submittedAt: new Date(now - Number(hoursAgo) * hour) };
  const { id } = await seedContribution(mongo.db, fields);
  const waves = network === '' ? [] : [networkWave(String(network))];
  await contributions.updateOne({ _id: id }, { $set: { waves }, $unset: { terms: 1, bands: 1, risk: 1, findings: 1 } });
  return id;
}

async function assessAll(): Promise<void> {
  while ((await backlog.assessNext(signal)) > 0);
}

const found = async (id: string) => {
  const { findings = [] } = (await contributions.findOne({ _id: id })) ?? {};
  return findings.filter(({ check }) => check.startsWith('wave_')).map(({ text, weight }) => `${weight} ${text}`);
};

describe('a wave', () => {
  it('is found by its link, mail domain and network, and comes before honest first texts, also what came first', async () => {
    const link = (at: number) => `[see](https&#58;//a${at}.evil.example/x)`;
    const ids: string[] = [];
    for (let at = 0; at < 15; at++) {
      const sent = { email: `u${at}@m${at % 3}.wave.example`, network: '192.0.2.7' };
      ids.push(await send({ ...sent, body: `${ownText(at)} ${link(at)}` }));
      if (at < 3) await assessAll();
    }
    expect(await found(ids[0] as string)).toEqual([]);
    const honest = await send({ email: 'ada@gmail.com', body: `${ownText(99)} [a](https://own.example/)` });
    await assessAll();
    const all = [
      '30 15 new humans of wave.example in a day',
      '30 15 texts of 15 humans within 7 days link to evil.example',
      '20 15 new humans in a day, one network',
    ];
    for (const id of ids) expect((await found(id)).sort()).toEqual([...all].sort());
    expect(await found(honest)).toEqual([]);
    const [last] = await contributions.find().sort({ risk: 1 }).limit(1).toArray();
    expect(last?._id).toBe(honest);
    const keys = (await contributions.find({ waves: 'link:evil.example' }).toArray()).map(({ _id }) => _id);
    expect(keys.sort()).toEqual([...ids].sort());
  });

  it('is found by nearly equal texts, which all have one key', async () => {
    const story = words.map((word) => `${word} and its ${word}s`).join(', ');
    const ids: string[] = [];
    for (let at = 0; at < 8; at++) {
      ids.push(await send({ email: `a${at}@h${at}.example`, body: `${story}, ${at} of th&#101;m.` }));
      if (at % 3 === 0) await assessAll();
    }
    await assessAll();
    expect(await found(ids[0] as string)).toEqual([expect.stringMatching(/^15 \d nearly equal texts of \d humans/)]);
    const keys = new Set((await contributions.find().toArray()).flatMap(({ waves = [] }) => waves));
    expect([...keys].filter((key) => key.startsWith('text:'))).toHaveLength(1);
  });

  it('is none of humans of a large provider, of those who came before, of known sites, our own, or other days', async () => {
    for (let at = 0; at < 12; at++) {
      const old = `old${at}@corp.example`;
      await send({ email: old, body: ownText(at), hoursAgo: 48 + 48 * at });
      await send({ email: old, body: `${ownText(20 + at)} https://github.com/a`, network: '192.0.2.8' });
      await send({ email: `a.${at}@gmail.com`, body: `${ownText(40 + at)} https://www.k.example/articles/a` });
      await send({ email: `b@${at}.example`, body: `${ownText(60 + at)} https://o.example`, hoursAgo: at * 24 * 4 });
    }
    await assessAll();
    expect(await contributions.countDocuments({ 'findings.check': /^wave_/ })).toBe(0);
  });

  it('of one text that changed, or was erased, has it no more', async () => {
    const id = await send({ email: 'a@b.example', body: `${ownText(1)} https://evil.example` });
    await assessAll();
    expect((await contributions.findOne({ _id: id }))?.waves).toEqual(['link:evil.example', 'mail:b.example']);
    await contributions.updateOne({ _id: id }, { $set: { body: ownText(2) }, $unset: { terms: 1 } });
    await assessAll();
    expect((await contributions.findOne({ _id: id }))?.waves).toEqual(['mail:b.example']);
    await contributions.updateOne({ _id: id }, { $set: { state: 'published' }, $push: { waves: networkWave('::1') } });
    const notes = { of: async () => [], forget: async () => undefined };
    const act = { actor: 'support', at: new Date(), reason: 'asked' };
    const call = workerContext(signal, new Date());
    const people = createPersonalDataStore(mongo.client, mongo.db, notes, () => undefined);
    await people.erase('a@b.example', false, act, call);
    expect(await contributions.findOne({ _id: id })).toMatchObject({ state: 'published', email: '', waves: [] });
  });
});

it('finds a name that looks like that of another human with published texts, and not of the same mailbox', async () => {
  const name = 'Grace Hopper';
  const { id } = await seedContribution(mongo.db, { email: 'grace@navy.example', name, body: ownText(1) });
  await contributions.updateOne({ _id: id }, { $set: { state: 'published' } });
  const check = async (email: string, own: string) => {
    const sent = await seedContribution(mongo.db, { email, name: own, body: ownText(2) });
    const { findings = [] } = (await contributions.findOne({ _id: sent.id })) ?? {};
    return findings.find((each) => each.check === 'borrowed_name')?.text;
  };
  for (const own of [name, 'GRACE  hopper', 'Gr\u0430ce Hopper', 'ɢʀᴀᴄᴇ ʜᴏᴘᴘᴇʀ'])
    expect(await check('eve@wave.example', own), own).toBe(
      `texts by “${name}” are published here already, not from this mailbox`,
    );
  expect(await check('grace+2@navy.example', name)).toBeUndefined();
  expect(await check('eve@wave.example', 'Grace Kelly')).toBeUndefined();
});
