import { describe, expect, it } from 'vitest';
import { decideArchive, decidePut } from '../articles/decisions.js';
import { type Article, checkArticlePut } from '../articles/domain.js';
import { articlePut } from '../testing/put.js';
import {
  type ArticleDraft,
  checkDraftPut,
  type DraftDecision,
  type DraftPut,
  type DraftState,
  decideDiscard,
  decideDraftDue,
  decideDraftPublication,
  decideDraftPut,
  decideUnscheduling,
  requireFuture,
} from './domain.js';

const ann = { actor: 'ann', at: new Date('2026-06-01T09:00:00Z'), reason: 'first' };
const ben = { actor: 'ben', at: new Date('2026-06-02T09:00:00Z'), reason: 'why', requestId: 'r1' };
const noon = new Date('2026-06-03T12:00:00Z');
const clock = { now: noon, actor: 'content/clock' };
const request = { ...articlePut({ slug: 'a', title: 'Old', publish: true }), site: 'org' as const };
const article = decidePut(undefined, checkArticlePut(request), ann).article;
const none: DraftState = { article, draft: undefined, revision: 0, lastEnd: undefined };
const stale = expect.objectContaining({ code: 'invalid_state', grpcStatus: 10 });
const at = (time: Date | undefined, expectedRevision = 0) => ({ at: time, expectedRevision });
const put = (part: Partial<DraftPut> = {}) => checkDraftPut({ ...request, title: 'New', baseRevision: 1, ...part });

/** The state after a decision that kept the draft. */
function after(state: DraftState, decision: DraftDecision): DraftState & { draft: ArticleDraft } {
  if (!('draft' in decision)) throw new Error(`The draft is ${decision.outcome}.`);
  return { ...state, draft: decision.draft, revision: decision.draft.revision };
}
const first = after(none, decideDraftPut(none, put(), ann));
const scheduled = after(first, decideDraftPublication(first, at(noon, 1), { ...ben, reason: 'on time' }));
const edited = (by: Article, part: object) => decidePut(by, { ...checkArticlePut(request), ...part }, ben).article;

describe('a put of a draft', () => {
  it('creates it from every field, and says who made it', () => {
    expect(decideDraftPut(none, put({ reason: 'facts' }), { ...ann, reason: 'facts' })).toMatchObject({
      outcome: 'created',
      draft: {
        ...{ title: 'New', slug: 'a', site: 'org', tags: ['sso'], publishedAt: article.publishedAt, wordCount: 3 },
        ...{ revision: 1, baseRevision: 1, authors: ['ann'], createdAt: ann.at, schedule: undefined },
      },
      transition: { from: '', to: 'draft', actor: 'ann', reason: 'facts', revision: 1 },
    });
  });

  it('replaces all of it, keeps its time and names each author once', () => {
    const second = after(scheduled, decideDraftPut(scheduled, put({ tags: [], expectedRevision: 2 }), ben));
    expect(second.draft).toMatchObject({ tags: [], revision: 3, authors: ['ann', 'ben'], createdAt: ann.at });
    expect(second.draft.schedule).toEqual({ at: noon, actor: 'ben', reason: 'on time' });
    const transition = { from: 'scheduled', to: 'scheduled' };
    expect(decideDraftPut(second, put(), ann)).toMatchObject({ draft: { authors: ['ben', 'ann'] }, transition });
    let last = first;
    for (const actor of Array.from({ length: 25 }, (_, each) => `editor ${each}`))
      last = after(last, decideDraftPut(last, put({ title: actor }), { ...ann, actor }));
    expect(last.draft.authors).toHaveLength(20);
    expect(last.draft.authors.at(-1)).toBe('editor 24');
  });

  it('changes nothing if it is the same, also with the revision before', () => {
    for (const expectedRevision of [0, 1]) {
      expect(decideDraftPut(first, put({ expectedRevision }), ben)).toMatchObject({ outcome: 'unchanged' });
    }
    const second = after(first, decideDraftPut(first, put({ title: 'Newer', expectedRevision: 1 }), ben));
    expect(decideDraftPut(second, put({ title: 'Newer', expectedRevision: 1 }), ben).outcome).toBe('unchanged');
  });

  it('refuses the revision of another draft, an unknown article and a base that does not exist', () => {
    expect(() => decideDraftPut(first, put({ title: 'X', expectedRevision: 2 }), ben)).toThrow(stale);
    const emptied: DraftState = { ...none, revision: 4 };
    const next = after(emptied, decideDraftPut(emptied, put(), ben));
    expect(next.draft.revision).toBe(5);
    expect(() => decideDraftPut(next, put({ title: 'X', expectedRevision: 1 }), ben)).toThrow(stale);
    expect(() => decideDraftPut({ ...none, article: undefined }, put(), ben)).toThrow('There is no such article.');
    expect(() => decideDraftPut(none, put({ baseRevision: 2 }), ben)).toThrow('base_revision must be at most 1');
    expect(() => put({ baseRevision: 0 })).toThrow('base_revision must be the revision');
    expect(() => put({ title: '', baseRevision: 1 })).toThrow('title is required');
  });

  it('never hides an article that readers see', () => {
    const hiding = () => decideDraftPut(none, put({ publishedAt: noon }), ben);
    expect(hiding).toThrow('published_at must not be in the future');
    const archived = decideArchive(article, 0, ben).article;
    const state = { ...none, article: archived };
    expect(decideDraftPut(state, put({ publishedAt: noon, baseRevision: 2 }), ben).outcome).toBe('created');
  });
});

describe('the publication of a draft', () => {
  it('is a new revision of the article, and the end of the draft', () => {
    const decided = decideDraftPublication(first, at(undefined, 1), ben);
    expect(decided).toMatchObject({
      outcome: 'ended',
      transition: { from: 'draft', to: 'published', revision: 2, requestId: 'r1' },
      published: {
        outcome: 'updated',
        article: { title: 'New', state: 'published', revision: 2, publishedAt: article.publishedAt, updatedAt: ben.at },
        transition: { from: 'published', to: 'published', actor: 'ben', reason: 'why', revision: 2 },
      },
    });
    const published = decided.outcome === 'ended' ? (decided.published?.article ?? {}) : {};
    expect(Object.keys(published)).toEqual(Object.keys(edited(article, { title: 'New' })));
  });

  it('publishes an archived article again', () => {
    const archived = { ...none, article: decideArchive(article, 0, ben).article };
    const state = after(archived, decideDraftPut(archived, put({ baseRevision: 2 }), ann));
    const published = { article: { state: 'published', revision: 3 } };
    expect(decideDraftPublication(state, at(undefined), ben)).toMatchObject({ published });
  });

  it('is refused if the article changed, and says how to go on', () => {
    const other = { ...first, article: edited(article, { summary: 'Changed' }) };
    const message =
      'The draft is based on revision 1, but the article has revision 2. Compare them and put the draft again, based on revision 2.';
    const refused = expect.objectContaining({ code: 'invalid_state', grpcStatus: 10, message });
    for (const time of [undefined, noon]) expect(() => decideDraftPublication(other, at(time), ben)).toThrow(refused);
    const rebased = after(other, decideDraftPut(other, put({ baseRevision: 2 }), ben));
    expect(decideDraftPublication(rebased, at(undefined), ben).outcome).toBe('ended');
  });

  it('recognises a repeat by its request, and is not found for another', () => {
    const over: DraftState = { ...none, revision: 2, lastEnd: { to: 'published', actor: 'ben', requestId: 'r1' } };
    const publish = (by: typeof ben) => decideDraftPublication(over, at(undefined, 1), by);
    expect(publish(ben)).toEqual({ outcome: 'repeated' });
    for (const act of [
      { ...ben, actor: 'ann' },
      { ...ben, requestId: 'r2' },
    ])
      expect(() => publish(act)).toThrow('The article has no draft of its next revision.');
    expect(() => decideDiscard(over, 0, ben)).toThrow('no draft');
  });
});

describe('a scheduled draft', () => {
  it('is published at its time in the name of who scheduled it, and not before', () => {
    expect(scheduled.draft.schedule).toEqual({ at: noon, actor: 'ben', reason: 'on time' });
    const early = { ...clock, now: new Date(noon.getTime() - 1) };
    expect(decideDraftDue(scheduled, early)).toBeUndefined();
    expect(decideDraftDue(first, clock)).toBeUndefined();
    expect(decideDraftDue({ ...scheduled, article: undefined }, clock)).toBeUndefined();
    expect(decideDraftDue(scheduled, clock)).toMatchObject({
      outcome: 'ended',
      transition: { from: 'scheduled', to: 'published', actor: 'ben', at: noon },
      published: { article: { title: 'New', updatedAt: noon }, transition: { actor: 'ben', reason: 'on time' } },
    });
  });

  it('loses its time if the article changed meanwhile, says why, and keeps no text for an earlier revision', () => {
    const other = { ...scheduled, article: edited(article, { summary: 'Changed' }) };
    const reason = 'The draft is based on revision 1, but the article has revision 2.';
    expect(() => decideDraftPut(other, put({ title: 'Newer' }), ben)).toThrow('must be based on revision 2');
    expect(decideDraftDue(other, clock)).toMatchObject({
      outcome: 'updated',
      draft: { schedule: undefined, missed: { at: noon, reason }, revision: 3, title: 'New' },
      transition: { from: 'scheduled', to: 'draft', actor: 'content/clock', reason },
    });
  });

  it('is refused for an article that waits for its own time, since that makes a new revision', () => {
    const waiting = { ...first, article: { ...article, state: 'scheduled' as const } };
    expect(() => decideDraftPublication(waiting, at(noon), ben)).toThrow('appears at 2026-06');
  });

  it('gets another time, or none', () => {
    const later = new Date(noon.getTime() + 1000);
    const again = decideDraftPublication(scheduled, at(later, 2), ann);
    expect(again).toMatchObject({ draft: { revision: 3, schedule: { at: later, actor: 'ann' } } });
    expect(decideDraftPublication(scheduled, at(noon, 1), ben).outcome).toBe('unchanged');
    const back = { draft: { schedule: undefined, revision: 3 }, transition: { from: 'scheduled', to: 'draft' } };
    expect(decideUnscheduling(scheduled, 2, ann)).toMatchObject({ outcome: 'updated', ...back });
    expect(decideUnscheduling(first, 0, ann).outcome).toBe('unchanged');
    expect(() => requireFuture(noon, noon)).toThrow('at must be in the future');
    expect(requireFuture(later, noon)).toBe(later);
  });
});

it('is discarded with the revision that the editor saw', () => {
  expect(() => decideDiscard(first, 2, ben)).toThrow(stale);
  const end = { outcome: 'ended', transition: { from: 'draft', to: 'discarded', revision: 2 } };
  expect(decideDiscard(first, 1, ben)).toMatchObject(end);
  const over: DraftState = { ...none, revision: 2, lastEnd: { to: 'discarded', actor: 'ben', requestId: 'r1' } };
  expect(decideDiscard(over, 1, ben)).toEqual({ outcome: 'repeated' });
  expect(() => decideUnscheduling(over, 0, ben)).toThrow('no draft');
});
