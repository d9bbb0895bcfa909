import { type ContributionState, removedMark } from '@knowledge/runtime/product';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { sentAt, submissionOf } from '../testing/texts.js';
import type { Contribution } from './contribution.js';
import { allowedEdit, type Edit, editText } from './edit.js';
import { sendNewText } from './new-text.js';
import { review } from './review.js';

const start = new Date('2026-06-01T10:00:00Z');
let request = 0;
const act = (actor = 'ann', reason = 'Removed a name.') => ({
  ...{ actor, at: new Date(start.getTime() + ++request * 1000), reason, requestId: `r${request}` },
});
const nothing: Edit = { title: undefined, body: undefined, name: undefined, remove: [], forgetBefore: false };
const edit =
  (fields: Partial<Edit>, by = act()) =>
  (seen: Contribution) =>
    editText({ ...nothing, ...fields }, by, seen.revision, 'Example Ltd')(seen);

function contribution(state: ContributionState = 'pending_review', type: 'story' | 'inquiry' = 'story'): Contribution {
  const texts = { title: type === 'story' ? 'A titel' : undefined, body: 'The text of Jo Doe.', name: 'Jo Doe' };
  const made = sentAt(start, { type, ...texts, language: 'en' });
  return { ...made, state, publishedAt: state === 'published' ? start : null };
}

it('changes what is given, and keeps the text before with who, when and why', () => {
  const by = act();
  const { contribution: edited, notices } = edit({ title: 'A title' }, by)(contribution());
  expect(notices).toEqual([]);
  expect(edited).toMatchObject({ title: 'A title', body: 'The text of Jo Doe.', state: 'pending_review', revision: 2 });
  const { actor, at, reason } = by;
  expect(edited.history.at(-1)).toMatchObject({ from: 'pending_review', to: 'pending_review', actor, at, reason });
  const before = { title: 'A titel', body: 'The text of Jo Doe.', name: 'Jo Doe', language: 'en' };
  expect(edited.textChanges).toEqual([{ revision: 2, at, by: 'moderator', reason, fields: ['title'], before }]);
});

it('of a published text is a proposal: no word changes, and its human is asked', () => {
  const by = act();
  const before = contribution('published');
  const { contribution: asked, notices } = edit({ title: 'A title' }, by)(before);
  expect(notices).toEqual(['edit_proposed']);
  const { title, body, name, state, textChanges, publication } = before;
  expect(asked).toMatchObject({ title, body, name, state, textChanges, publication, revision: 2 });
  const text = { title: 'A title', body, name, language: 'en' };
  expect(asked.proposal).toEqual({ ...by, text, revision: 2 });
  expect(asked.history.at(-1)).toMatchObject({ from: 'published', to: 'proposed', actor: 'ann', reason: by.reason });
  // By the same request, or with another one.
  for (const another of [by, act()])
    expect(edit({ title: 'A title' }, another)(asked)).toEqual({ contribution: asked, notices: [] });
  const again = edit({ title: 'Another title' })(asked).contribution;
  expect(again).toMatchObject({ title, proposal: { text: { title: 'Another title' }, revision: 3 } });
});

it('asks its human too after they undid an edit, and never through a retraction', () => {
  const undone = { ...contribution('pending_review'), publishedAt: start };
  expect(edit({ body: 'Other words than before.' })(undone).notices).toEqual(['edit_proposed']);
  const retracted = { ...contribution('retracted'), publishedAt: start };
  expect(() => edit({ body: 'Other words than before.' })(retracted)).toThrow(/is retracted now/);
});

it('refuses to forget the text before while its human has not said yes', () => {
  expect(() => edit({ title: 'A title', forgetBefore: true })(contribution('published'))).toThrow(/forget_before/);
});

it('takes passages out of a published text at once, with a mark in their place', () => {
  const remove = ['Jo', 'Jo  Doe.', ' The\ntext '];
  const { contribution: edited, notices } = edit({ remove })(contribution('published'));
  expect(notices).toEqual(['edited']);
  expect(edited).toMatchObject({ title: 'A titel', name: 'Jo Doe', publishedAt: start, proposal: null });
  expect(edited.body).toBe('[removed by a moderator] of [removed by a moderator]');
  expect(edited.publication).toMatchObject({ action: 'publish', revision: 2, attempts: 0 });
});

it('takes other words after a mark made another field longer than its bound', () => {
  const marked = edit({ remove: ['Jo Doe'] })({ ...contribution(), title: `Jo Doe ${'x'.repeat(150)}` }).contribution;
  expect(edit({ body: 'Other words.' })(marked).contribution.title).toBe(marked.title);
  expect(() => edit({ title: marked.title ?? '' })(marked)).toThrow(/title must have at most 160/);
});

it('removes a name at once, but never sets or changes one', () => {
  const published = contribution('published');
  expect(edit({ name: ' ' })(published)).toMatchObject({ contribution: { name: null }, notices: ['edited'] });
  expect(edit({ name: 'Jo Doe', remove: ['Jo Doe'] })(published).contribution.name).toBe('Jo Doe');
  for (const state of ['pending_review', 'approved', 'published', 'retracted'] as const) {
    for (const fields of [{ name: 'Omar Haddad' }, { name: 'jo doe', remove: ['text'] }]) {
      expect(() => edit(fields)(contribution(state))).toThrow(/a moderator can only remove it/);
    }
  }
  expect(() => edit({ name: 'Omar', title: 'A title' })(contribution())).toThrow(/a moderator can only remove it/);
});

it('with passages only removes, whatever they are', () => {
  const body = fc.string({ minLength: 10, maxLength: 60 }).filter((text) => text.trim().length > 9);
  fc.assert(
    fc.property(body, fc.nat(50), fc.integer({ min: 2, max: 20 }), fc.boolean(), (text, from, length, twice) => {
      const before = { ...contribution('published'), body: text };
      const remove = [text.slice(from, from + length), ...(twice ? [text.slice(from + 1, from + 3)] : [])];
      let after: string;
      try {
        after = edit({ remove })(before).contribution.body;
      } catch (error) {
        expect(String(error)).toMatch(/remove must|same as before/);
        return;
      }
      // What is left stands in the text before, in its order.
      let at = 0;
      for (const left of after.split(removedMark)) {
        at = text.indexOf(left, at);
        expect(at).toBeGreaterThanOrEqual(0);
        at += left.length;
      }
    }),
  );
});

it.each<[string, Partial<Edit>, RegExp]>([
  ['words that stand in no field whole', { remove: ['titel The text'] }, /passage 1 does not stand in it/],
  ['words that do not stand there', { remove: ['The text', 'Jane'] }, /passage 2 does not stand in it/],
  ['other words beside', { remove: ['Jo Doe'], body: 'The text of nobody.' }, /must stand alone/],
  ['a single sign', { remove: ['e'] }, /at least 2 characters/],
  ['too many passages', { remove: Array.from({ length: 21 }, () => 'Jo') }, /at most 20 passages/],
])('takes out no %s', (_, fields, message) => {
  expect(() => edit(fields)(contribution('published'))).toThrow(message);
});

it.each(['approved', 'retracted'] as const)('of an %s text changes nothing in the catalog', (state) => {
  const { contribution: edited, notices } = edit({ name: '' })(contribution(state));
  expect([edited.state, edited.publication, notices]).toEqual([state, null, []]);
});

it.each(['changes_requested', 'rejected', 'withdrawn', 'answered', 'closed'] as const)('is refused for %s', (state) => {
  expect(allowedEdit(contribution(state))).toBeUndefined();
  expect(() => edit({ name: '' })(contribution(state))).toThrow(
    `The contribution is ${state} now (revision 1); to edit it, it must be pending_review or approved or published.`,
  );
});

it('is refused for an inquiry, for what its human took down, and while a decision is held', () => {
  expect(() => edit({ name: '' })(contribution('pending_review', 'inquiry'))).toThrow(/never published/);
  const human = { ...act('human'), reason: '' };
  const down = review({ command: { kind: 'take_down' }, act: human })(contribution('published')).contribution;
  expect(() => edit({ name: '' })(down)).toThrow('Its human took it down, so it cannot be edited.');
  const held = review({ command: { kind: 'reject' }, act: act('bob'), holdSeconds: 30 })(contribution()).contribution;
  expect(() => edit({ name: '' })(held)).toThrow(/bob has decided: reject/);
  for (const each of [contribution('pending_review', 'inquiry'), down, held]) expect(allowedEdit(each)).toBeUndefined();
  const erased = { ...contribution('published'), email: '' };
  expect(() => edit({ title: 'A title' })(erased)).toThrow(/nobody can agree to other words/);
  expect(allowedEdit(erased)).toBe('removal');
});

it.each([
  ['pending_review', 'words'],
  ['approved', 'words'],
  ['published', 'words'],
  ['retracted', 'removal'],
] as const)('of a story that is %s is of its %s', (state, allowed) => {
  expect(allowedEdit(contribution(state))).toBe(allowed);
});

it.each<[string, Partial<Edit>, RegExp]>([
  ['nothing new', { title: 'A titel' }, /the same as before/],
  ['nothing to forget', { forgetBefore: true }, /the same as before/],
  ['a short body', { body: 'short' }, /body must have at least 10/],
  ['the address of the human', { body: 'Ask jo at example dot org.' }, /must not contain the e-mail address/],
  ['a hidden character', { title: 'A tit\u200ble' }, /title/],
])('refuses %s', (_, fields, message) => {
  expect(() => edit(fields)(contribution())).toThrow(message);
});

it('needs a reason, and the revision that the moderator saw', () => {
  expect(() => editText(nothing, act('ann', ' '))).toThrow(/reason is required/);
  expect(() => editText(nothing, act('ann', 'x'.repeat(2001)))).toThrow(/reason must have at most 2000/);
  expect(() => editText(nothing, act(), -1)).toThrow(/expected_revision must be 0 or more/);
  expect(() => editText({ ...nothing, name: '' }, act(), 7)(contribution())).toThrow(/you saw revision 7/);
});

it('is recognised when its request is repeated', () => {
  const by = act();
  const once = edit({ name: '' }, by)(contribution('published')).contribution;
  expect(edit({ name: '' }, by)(once)).toEqual({ contribution: once, notices: [] });
  expect(() => edit({ name: '' }, { ...by, requestId: 'other' })(once)).toThrow(/the same as before/);
});

it('is possible 20 times', () => {
  let now = contribution();
  for (let times = 1; times <= 20; times++) now = edit({ title: `Title ${times}` })(now).contribution;
  expect(() => edit({ name: '' })(now)).toThrow('It was edited 20 times; ask its agent for a new text.');
  expect(allowedEdit(now)).toBeUndefined();
  let asked = contribution('published');
  for (let times = 1; times <= 20; times++) asked = edit({ title: `Title ${times}` })(asked).contribution;
  expect(() => edit({ title: 'One more' })(asked)).toThrow('It was edited 20 times');
});

it('loses its texts before, also those of the agent, if they have personal data', () => {
  const asked = review({ command: { kind: 'request_changes' }, act: act() })(contribution()).contribution;
  const text = { title: 'A title', body: 'The text of Jo Doe again.', name: undefined, language: undefined };
  const { contributor } = submissionOf();
  const sent = { ...text, contributor, idempotencyKey: 'k', payloadHash: 'ab'.repeat(32) };
  const now = sendNewText(sent, 'en', { now: act().at, requestId: 'r' })(asked).contribution;
  const forgotten = edit({ body: 'The text of somebody.', forgetBefore: true })(now).contribution;
  expect(JSON.stringify(forgotten)).not.toMatch(/Doe|abab/);
  expect(forgotten.textChanges.map(({ by, fields, before }) => [by, fields, before])).toEqual([
    ['agent', ['title', 'body', 'name'], null],
    ['moderator', ['body'], null],
  ]);
  const later = edit({ forgetBefore: true })(edit({ body: 'The text of nobody.' })(contribution()).contribution);
  expect(later.contribution.textChanges).toMatchObject([{ before: null }]);
  expect(later.contribution.history).toHaveLength(3);
});

it('keeps every text of any sequence of edits, so that each difference can be shown', () => {
  const fields = fc.record({
    title: fc.constantFrom(undefined, 'One title', 'Two titles'),
    body: fc.constantFrom(undefined, 'The text number one.', 'The text number two.'),
    name: fc.constantFrom(undefined, ''),
  });
  fc.assert(
    fc.property(fc.array(fields, { maxLength: 8 }), (edits) => {
      let now = contribution();
      const texts = [[now.title, now.body, now.name]];
      for (const each of edits) {
        try {
          now = edit(each)(now).contribution;
        } catch {
          continue;
        }
        texts.push([now.title, now.body, now.name]);
      }
      const kept = now.textChanges.map(({ before }) => [before?.title, before?.body, before?.name]);
      expect([...kept, [now.title, now.body, now.name]]).toEqual(texts);
      expect(now.textChanges.map(({ revision }) => revision)).toEqual(kept.map((_, at) => at + 2));
    }),
  );
});
