import { beforeEach, expect, it } from 'vitest';
import type { ChangeListener } from '../changes/stream.js';
import { createTagLists, type RelatedCandidate, type SiteTag, type TagLists, tagKey } from './read.js';

type Listed = readonly RelatedCandidate[];

let lists: TagLists;
let listener: ChangeListener;
let loads: string[];
let atOnce: { now: number; most: number };
/** The result of each load, which a test can delay. */
let answer: (tag: string) => Promise<RelatedCandidate[]>;

beforeEach(() => {
  loads = [];
  atOnce = { now: 0, most: 0 };
  answer = async (tag) => [candidate(tag)];
  const source = {
    async tagged(site: string, tag: string, limit: number) {
      loads.push(`${site} ${tag} ${limit}`);
      atOnce.now += 1;
      atOnce.most = Math.max(atOnce.most, atOnce.now);
      return answer(tag).finally(() => {
        atOnce.now -= 1;
      });
    },
  };
  const subscribe = (each: ChangeListener) => {
    listener = each;
    return () => undefined;
  };
  lists = createTagLists(source, { subscribe } as Parameters<typeof createTagLists>[1]);
});

function candidate(slug: string): RelatedCandidate {
  return { slug, title: '', tags: [], publishedAt: new Date(0) };
}

const org = (...tags: string[]): SiteTag[] => tags.map((tag) => ({ site: 'org', tag }));
const slugsOf = (found: ReadonlyMap<string, Listed>) =>
  Object.fromEntries([...found].map(([key, list]) => [key, list.map(({ slug }) => slug)]));

function change(part: { subject?: string; site?: string; tags: string[] }): void {
  const changed = { subject: 'article', site: 'org', ...part };
  listener.change(changed as unknown as Parameters<ChangeListener['change']>[0]);
}

it('loads the list of each tag once and caches it', async () => {
  const wanted: SiteTag[] = [...org('sso', 'sso', 'plan'), { site: 'io', tag: 'sso' }];
  const expected = { 'org/sso': ['sso'], 'org/plan': ['plan'], 'io/sso': ['sso'] };
  expect(slugsOf(await lists.read(wanted))).toEqual(expected);
  expect(slugsOf(await lists.read(wanted))).toEqual(expected);
  expect(loads).toEqual(['org sso 32', 'org plan 32', 'io sso 32']);
  expect(tagKey({ site: 'io', tag: 'sso' })).toBe('io/sso');
  expect((await lists.read([])).size).toBe(0);
});

it('loads only the lists of a changed article’s tags again', async () => {
  await lists.read(org('a', 'b', 'c'));
  change({ tags: ['a', 'b'] });
  change({ subject: 'object', tags: ['c'] });
  change({ site: 'io', tags: ['c'] });
  await lists.read(org('a', 'b', 'c'));
  expect(loads.slice(3)).toEqual(['org a 32', 'org b 32']);
  listener.reset();
  await lists.read(org('a', 'b', 'c'));
  expect(loads.slice(5)).toHaveLength(3);
});

it('shares a load among simultaneous callers', async () => {
  const found = await Promise.all([lists.read(org('a')), lists.read(org('a', 'b'))]);
  expect(found.map(slugsOf)).toEqual([{ 'org/a': ['a'] }, { 'org/a': ['a'], 'org/b': ['b'] }]);
  expect(loads).toEqual(['org a 32', 'org b 32']);
});

it.each([
  ['a change', () => change({ tags: ['a'] })],
  ['a reset', () => listener.reset()],
])('gives a load to its waiting callers if %s comes meanwhile, and does not cache it', async (_, overtake) => {
  let load: (list: RelatedCandidate[]) => void = () => undefined;
  answer = () => new Promise((resolve) => (load = resolve));
  const waiting = lists.read(org('a'));
  const loadOld = load;
  overtake();
  const newer = lists.read(org('a'));
  loadOld([candidate('old')]);
  expect(slugsOf(await waiting)).toEqual({ 'org/a': ['old'] });
  // The newer load still runs, and a later read waits for it.
  const joined = lists.read(org('a'));
  load([candidate('new')]);
  expect([await newer, await joined].map(slugsOf)).toEqual([{ 'org/a': ['new'] }, { 'org/a': ['new'] }]);
  expect(loads).toHaveLength(2);
  expect(slugsOf(await lists.read(org('a')))).toEqual({ 'org/a': ['new'] });
});

it('loads again after a failed load', async () => {
  answer = () => Promise.reject(new Error('down'));
  await expect(lists.read(org('a'))).rejects.toThrow('down');
  answer = async () => [];
  expect(slugsOf(await lists.read(org('a')))).toEqual({ 'org/a': [] });
  expect(loads).toHaveLength(2);
});

it('runs at most 16 loads at once, and caches the last 2000 lists', async () => {
  const tags = org(...Array.from({ length: 2000 }, (_, index) => `t${index}`));
  expect((await lists.read(tags)).size).toBe(2000);
  expect(atOnce.most).toBe(16);
  await lists.read(tags);
  expect(loads).toHaveLength(2000);
  await lists.read(org('more'));
  await lists.read(tags.slice(1));
  expect(loads).toHaveLength(2001);
  await lists.read(tags.slice(0, 1));
  expect(loads.at(-1)).toBe('org t0 32');
  expect(loads).toHaveLength(2002);
});
