import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  checkObjectPut,
  checkPublication,
  decideObjectPut,
  decideObjectWithdrawal,
  decidePublication,
  decideRetraction,
  type ObjectFacts,
  type Publication,
} from './decisions.js';
import type { PublishedObject, StoredObject } from './domain.js';

const id = '0b6e3f0c-4d5f-4d0e-9a53-000000000001';
const act = { actor: 'ann', at: new Date('2026-06-01T09:00:00Z'), reason: '' };
const facts: ObjectFacts = {
  ...{ id, kind: 'knowledge', site: 'org', title: 'T', summary: '', author: '', language: '' },
  body: 'What we *know*.',
  publishedAt: undefined,
};
const publication: Publication = { ...facts, kind: 'story', revision: 2, prompt: undefined };

function published(part: Partial<PublishedObject>): PublishedObject {
  return {
    ...{ ...facts, kind: 'story', publishedAt: act.at, updatedAt: act.at, state: 'published', prompt: undefined },
    ...{ source: 'contribution', revision: 2, readingTokens: 6, ...part },
  };
}

describe('contributions', () => {
  it('are applied only if their revision is higher than the stored one', () => {
    const apply = (revision: number, to: StoredObject | undefined = published({})) =>
      decidePublication(to, { ...publication, revision }, act);
    expect(decidePublication(undefined, publication, act)).toMatchObject({
      outcome: 'created',
      object: { revision: 2 },
    });
    expect([apply(2).outcome, apply(1).outcome]).toEqual(['unchanged', 'unchanged']);
    expect(apply(4)).toMatchObject({ outcome: 'updated', object: { revision: 4, publishedAt: act.at } });
  });

  it('leave a record without text, which prevents a late publication', () => {
    const { object } = decideRetraction(undefined, { id, site: 'org', revision: 3, reason: '' }, act);
    expect(object).toEqual({
      ...{ id, site: 'org', state: 'retracted', source: 'contribution', revision: 3 },
      ...{ updatedAt: act.at, publishedAt: undefined },
    });
    expect(decidePublication(object, publication, act).outcome).toBe('unchanged');
    expect(decidePublication(object, { ...publication, revision: 4 }, act).object.state).toBe('published');
  });

  it('end as the greatest revision says, in whatever order and however often the changes arrive', () => {
    const revision = fc.integer({ min: 1, max: 5 });
    fc.assert(
      fc.property(fc.array(revision, { minLength: 1 }), fc.array(revision), (arriving, retracting) => {
        let stored: StoredObject | undefined;
        for (const each of arriving) {
          const change = { ...publication, revision: each };
          const decide = retracting.includes(each) ? decideRetraction : decidePublication;
          stored = decide(stored, { ...change, reason: '' }, act).object;
        }
        const greatest = Math.max(...arriving);
        const state = retracting.includes(greatest) ? 'retracted' : 'published';
        expect(stored).toMatchObject({ revision: greatest, state });
      }),
    );
  });

  it('never move to another site while they are published', () => {
    expect(() => decidePublication(published({}), { ...publication, site: 'io', revision: 3 }, act)).toThrow(/org/);
  });
});

it('knowledge objects can be put and withdrawn, and an equal put changes nothing', () => {
  const first = decideObjectPut(undefined, checkObjectPut(facts), act);
  expect(first).toMatchObject({ outcome: 'created', object: { summary: 'What we know.', revision: 1 } });
  const { object } = first;
  expect(decideObjectPut(object, checkObjectPut(facts), act).outcome).toBe('unchanged');
  const other = decideObjectPut(object, checkObjectPut({ ...facts, title: 'U' }), act);
  expect(other).toMatchObject({ outcome: 'updated', object: { revision: 2 } });
  const gone = decideObjectWithdrawal(object, act).object;
  expect(gone).toMatchObject({ state: 'retracted', revision: 2 });
  expect(decideObjectWithdrawal(gone, act).outcome).toBe('unchanged');
  const again = { state: 'published', revision: 3, publishedAt: act.at };
  expect(decideObjectPut(gone, checkObjectPut(facts), act)).toMatchObject({ outcome: 'updated', object: again });
  expect(() => decideObjectWithdrawal(undefined, act)).toThrow(expect.objectContaining({ code: 'not_found' }));
});

describe('hidden characters', () => {
  const hidden = 'A\u202eB';

  it.each(['title', 'summary', 'author'] as const)('are refused in a %s, and the error names them', (field) => {
    const message = `${field} must not contain U+202E (right-to-left override) at character 2.`;
    expect(() => checkObjectPut({ ...facts, [field]: hidden })).toThrow(message);
    expect(() => checkPublication({ ...publication, [field]: hidden })).toThrow(message);
  });

  it('are removed from a body, and so from the summary', () => {
    for (const each of [checkObjectPut({ ...facts, body: hidden }), checkPublication({ ...publication, body: hidden })])
      expect([each.body, each.summary]).toEqual(['AB', 'AB']);
    expect(() => checkObjectPut({ ...facts, body: '\u200b \u{e0041}' })).toThrow('body is required');
  });
});

describe('the transition and the errors of an object', () => {
  const because = { ...act, at: new Date('2026-06-02T09:00:00Z'), reason: 'because' };

  it('include actor, time, reason and the previous state', () => {
    const times = { updatedAt: because.at, publishedAt: because.at };
    expect(decidePublication(undefined, publication, because)).toMatchObject({
      object: { state: 'published', source: 'contribution', kind: 'story', ...times },
      transition: { ...because, from: '', to: 'published', revision: 2 },
    });
    const at = new Date(5);
    const dated = decidePublication(published({}), { ...publication, revision: 3, publishedAt: at }, because);
    expect(dated).toMatchObject({ object: { publishedAt: at }, transition: { from: 'published' } });
    const retracted = decideRetraction(published({}), { id, site: 'io', revision: 3, reason: '' }, because);
    expect(retracted).toMatchObject({
      outcome: 'updated',
      before: published({}),
      object: { site: 'org', publishedAt: act.at, updatedAt: because.at },
      transition: { ...because, from: 'published', to: 'retracted', revision: 3 },
    });
    expect(decideRetraction(undefined, { id, site: 'io', revision: 3, reason: '' }, act)).toMatchObject({
      ...{ outcome: 'created', object: { site: 'io' }, transition: { from: '' } },
    });
    for (const revision of [1, 2])
      expect(decideRetraction(published({}), { id, site: 'org', revision, reason: '' }, act).outcome).toBe('unchanged');
  });

  it('keep the time of publication that the editors set', () => {
    const put = checkObjectPut({ ...facts, publishedAt: new Date(5) });
    const { object } = decideObjectPut(undefined, put, act);
    expect(object).toMatchObject({ publishedAt: new Date(5), source: 'editorial', kind: 'knowledge' });
    expect(decideObjectPut(object, checkObjectPut(facts), because)).toMatchObject({ outcome: 'unchanged' });
    expect(decideObjectPut(object, { ...put, title: 'U' }, because).object.publishedAt).toEqual(new Date(5));
    expect(decideObjectWithdrawal(object, because)).toMatchObject({
      object: { id, site: 'org', source: 'editorial', publishedAt: new Date(5) },
      transition: { ...because, from: 'published', to: 'retracted', revision: 2 },
    });
  });

  it('name the owner of the object and the site that shows it', () => {
    const refused = (message: string) => expect.objectContaining({ code: 'invalid_state', message });
    const toModerators = refused('The id belongs to a contribution; moderators change and retract it.');
    expect(() => decideObjectPut(published({}), facts, act)).toThrow(toModerators);
    expect(() => decideObjectWithdrawal(published({}), act)).toThrow(toModerators);
    const editorial = published({ source: 'editorial' });
    const toEditors = refused('The id belongs to an object of the editors.');
    expect(() => decidePublication(editorial, publication, act)).toThrow(toEditors);
    expect(() => decideRetraction(editorial, { id, site: 'org', revision: 9, reason: '' }, act)).toThrow(toEditors);
    const onOrg = refused('The object is published on org; withdraw it there first.');
    expect(() => decideObjectPut(editorial, { ...facts, site: 'io' }, act)).toThrow(onOrg);
    const gone = decideObjectWithdrawal(editorial, act).object;
    expect(decideObjectPut(gone, { ...facts, site: 'io' }, act).object.site).toBe('io');
    expect(() => decideObjectWithdrawal(undefined, act)).toThrow('There is no such object.');
  });
});
