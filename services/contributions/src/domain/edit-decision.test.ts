import { describe, expect, it } from 'vitest';
import { catalogObject, editedAt } from '../publications/domain.js';
import { sentAt } from '../testing/texts.js';
import type { Command, Contribution } from './contribution.js';
import { decideEdit, type Edit, type EditDecision, editText, undoableEdit } from './edit.js';
import { eraseContribution } from './erasure.js';
import { dropsProposal } from './hold.js';
import { review } from './review.js';

const start = new Date('2026-06-01T10:00:00Z');
const owner = { email: 'jo@example.org', authorizationId: undefined };
let request = 0;
const act = (actor = 'ann', reason = '') => ({
  ...{ actor, at: new Date(start.getTime() + ++request * 1000), reason, requestId: `r${request}` },
});
const unchanged = { title: undefined, body: undefined, name: undefined, remove: [], forgetBefore: false };
const edit = (fields: Partial<Edit>) => {
  const by = act('ann', 'why');
  return (seen: Contribution) => editText({ ...unchanged, ...fields }, by, seen.revision)(seen);
};
const decide = (decision: EditDecision, revision: number, by = act('human')) =>
  decideEdit(decision, revision, owner, by);
const seen = (command: Command, by: ReturnType<typeof act>) => (contribution: Contribution) =>
  review({ command, act: by, expectedRevision: contribution.revision })(contribution);
const command = (kind: 'retract' | 'publish' | 'take_down' | 'request_changes', by = act('mod', 'why')) =>
  seen({ kind }, by);
const approve = seen({ kind: 'approve_and_publish' }, act('mod'));

const agents = { title: 'A titel', body: 'The words of the agent.', name: 'Jo' };

const sent = () => sentAt(start, { ...agents, language: 'en' });

const published = () => approve(sent()).contribution;
const proposed = () => edit({ title: 'A title' })(published()).contribution;

describe('a proposed edit', () => {
  it('goes live with the yes of its human, and cannot be undone then', () => {
    const asked = proposed();
    const by = act('human');
    const { contribution: agreed, notices } = decide('accept', asked.revision, by)(asked);
    expect(agreed).toMatchObject({ title: 'A title', body: agents.body, state: 'published', proposal: null });
    expect(agreed.publication).toMatchObject({ action: 'publish', revision: agreed.revision });
    expect(agreed.history.at(-1)).toMatchObject({ from: 'published', to: 'published', actor: 'human' });
    expect(agreed.textChanges.at(-1)).toMatchObject({
      by: 'moderator',
      reason: 'why',
      final: 'agreed',
      fields: ['title'],
    });
    expect([notices, undoableEdit(agreed), editedAt(agreed)]).toEqual([[], undefined, by.at]);
    expect(decide('accept', asked.revision, by)(agreed)).toEqual({ contribution: agreed, notices: [] });
  });

  it('keeps a field that a proposal of an older release lacks', () => {
    const asked = proposed();
    const proposal = { ...asked.proposal, text: { title: 'A title', body: agents.body, language: 'en' } };
    const { contribution: agreed } = decide('accept', asked.revision)({ ...asked, proposal } as Contribution);
    expect([agreed.name, agreed.textChanges.at(-1)?.fields]).toEqual([agents.name, ['title']]);
  });

  it('is dropped with their no, and readers never had it', () => {
    const asked = proposed();
    const { contribution: left } = decide('decline', asked.revision)(asked);
    expect(left).toMatchObject({ ...agents, proposal: null, textChanges: [], publication: asked.publication });
    expect(left.history.at(-1)).toMatchObject({ from: 'published', to: 'declined', actor: 'human' });
    expect(() => decide('accept', asked.revision)(left)).toThrow(/not open/);
  });

  it.each<[string, (asked: Contribution) => Contribution]>([
    ['another proposal', (asked) => edit({ title: 'Another title' })(asked).contribution],
    ['something taken out', (asked) => edit({ remove: ['agent'] })(asked).contribution],
    ['its human, who took the text down', (asked) => command('take_down', act('human'))(asked).contribution],
    ['a retraction', (asked) => command('publish')(command('retract')(asked).contribution).contribution],
  ])('is outdated by %s', (_, change) => {
    const asked = proposed();
    const refused = expect.objectContaining({ code: 'invalid_state', message: 'This edit is not open any more.' });
    for (const decision of ['accept', 'decline'] as const) {
      expect(() => decide(decision, asked.revision)(change(asked))).toThrow(refused);
    }
  });

  it('is decided by nobody but its human', () => {
    const asked = proposed();
    const foreign = decideEdit('accept', asked.revision, { ...owner, email: 'al@example.org' }, act('human'));
    expect(() => foreign(asked)).toThrow(expect.objectContaining({ code: 'not_found' }));
    expect(() => decide('accept', 0)(asked)).toThrow(/not open/);
  });
});

it.each(['accept', 'decline', 'undo'] as const)('an answer that comes again changes nothing: %s', (decision) => {
  const asked = decision === 'undo' ? edit({ remove: ['agent'] })(published()).contribution : proposed();
  const once = decide(decision, asked.revision)(asked).contribution;
  expect(decide(decision, asked.revision)(once)).toEqual({ contribution: once, notices: [] });
  for (const other of (['accept', 'decline', 'undo'] as const).filter((each) => each !== decision)) {
    expect(() => decide(other, asked.revision)(once)).toThrow(/not open/);
  }
  const later = edit({ name: '' })(once).contribution;
  expect(() => decide(decision, asked.revision)(later)).toThrow(/not open/);
});

it('keeps the undo of a removal after a yes, and what the human agreed to after that undo', () => {
  const removed = edit({ remove: ['agent'] })(published()).contribution;
  const asked = edit({ title: 'A title' })(removed).contribution;
  const agreed = decide('accept', asked.revision)(asked).contribution;
  const open = undoableEdit(agreed);
  expect(open?.text).toEqual({ ...agents, title: 'A title', language: 'en' });
  const undone = decide('undo', open?.revision ?? 0)(agreed).contribution;
  expect(undone).toMatchObject({ ...agents, title: 'A title', state: 'pending_review' });
  expect(editedAt(undone)).toEqual(agreed.textChanges.at(-1)?.at);
  // Without the undo of another one, the words that they agreed to stay.
  expect(undoableEdit(undone)).toBeUndefined();
});

it('offers no undo of edits that changed nothing together', () => {
  const back = edit({ title: agents.title })(edit({ title: 'A title' })(sent()).contribution).contribution;
  expect(undoableEdit(back)).toBeUndefined();
});

it.each<[string, boolean, (asked: Contribution) => Contribution]>([
  ['something taken out', true, (asked) => edit({ remove: ['agent'] })(asked).contribution],
  ['another proposal', true, (asked) => edit({ title: 'Another title' })(asked).contribution],
  ['a retraction', true, (asked) => command('retract')(asked).contribution],
  ['a yes', false, (asked) => decide('accept', asked.revision)(asked).contribution],
  ['a no', false, (asked) => decide('decline', asked.revision)(asked).contribution],
])('says of %s whether it dropped a proposal: %s', (_, drops, change) => {
  const changed = change(proposed());
  expect(changed.history.map(({ revision }) => dropsProposal(changed, revision))).toEqual([
    ...changed.history.slice(0, -1).map(() => false),
    drops,
  ]);
});

describe('an edit before the publication', () => {
  const edited = () =>
    edit({ body: 'The words of a moderator.' })(edit({ name: '', title: 'A title' })(sent()).contribution);

  it('can be undone as a whole once it is published; the words of the agent wait for a moderator again', () => {
    const shown = approve(edited().contribution).contribution;
    const open = undoableEdit(shown);
    expect(open).toMatchObject({ revision: 3, text: { ...agents, language: 'en' } });
    const { contribution: undone } = decide('undo', open?.revision ?? 0)(shown);
    expect(undone).toMatchObject({ ...agents, state: 'pending_review', publishedAt: shown.publishedAt });
    expect(undone.publication).toMatchObject({ action: 'retract', revision: undone.revision });
    expect(undone.textChanges.at(-1)).toMatchObject({ by: 'human', fields: ['title', 'body', 'name'] });
    expect([undoableEdit(undone), editedAt(undone)]).toEqual([undefined, undefined]);
    expect(approve(undone).contribution).toMatchObject({ ...agents, state: 'published' });
  });

  it.each(['pending_review', 'approved'] as const)('can be undone while it is %s, without the catalog', (state) => {
    const waiting: Contribution = { ...edited().contribution, state };
    const { contribution: undone } = decide('undo', waiting.revision)(waiting);
    expect(undone).toMatchObject({ ...agents, state: 'pending_review', publication: null });
  });

  it('ends a held decision when it is undone', () => {
    const held = review({ command: { kind: 'approve_and_publish' }, act: act('mod'), holdSeconds: 30 });
    const { contribution: undone } = decide('undo', 3)(held(edited().contribution).contribution);
    expect(undone).toMatchObject({ held: null, state: 'pending_review', ...agents });
  });

  it('is undone together with what was taken out later, since nothing of it is public then', () => {
    const shown = edit({ remove: ['moderator'] })(approve(edited().contribution).contribution).contribution;
    expect(decide('undo', shown.revision)(shown).contribution).toMatchObject({ ...agents, state: 'pending_review' });
  });

  it('cannot be undone after a new text of the agent, a retraction, or if the text before is not kept', () => {
    const taken = command('retract')(approve(edited().contribution).contribution).contribution;
    const lost = edit({ body: 'The words of nobody.', forgetBefore: true })(sent()).contribution;
    for (const each of [taken, lost]) {
      expect(undoableEdit(each)).toBeUndefined();
      expect(() => decide('undo', each.revision)(each)).toThrow(/not open/);
    }
    expect(undoableEdit(command('request_changes')(edited().contribution).contribution)).toBeUndefined();
  });
});

it('leaves nothing of a proposal after an erasure, and still says that a moderator edited the text', () => {
  const asked = edit({ body: 'Words about Jo Doe only.' })(decide('accept', 4)(proposed()).contribution).contribution;
  const erased = eraseContribution(asked, false, act('support'));
  const stays = 'contribution' in erased ? erased.contribution : undefined;
  expect(stays).toMatchObject({ proposal: null, title: 'A title' });
  expect(stays && editedAt(stays)).toEqual(editedAt(asked));
  expect(JSON.stringify(stays)).not.toMatch(/Jo Doe|A titel/);
});

it('shortens a title that marks made too long for the catalog', () => {
  const long: Contribution = { ...published(), title: 'ab '.repeat(53) };
  const { contribution: marked } = edit({ remove: ['ab'] })(long);
  expect([...catalogObject(marked).title].length).toBeLessThanOrEqual(200);
});
