import { describe, expect, it } from 'vitest';
import { sentAt, submissionOf } from '../testing/texts.js';
import { asFirstResponse, type Contribution } from './contribution.js';
import { changesDueAt, endWithoutNewText, type NewText, sendNewText } from './new-text.js';
import { review } from './review.js';

const dayMs = 86_400_000;
const submittedAt = new Date('2026-06-01T00:00:00Z');
const { contributor } = submissionOf();

function contribution(type: 'story' | 'inquiry' = 'story'): Contribution {
  const title = type === 'story' ? 'The first title' : undefined;
  return sentAt(submittedAt, { type, title, body: 'The first text of it.', name: 'Jo', language: 'en' });
}

/** A moderator asks for changes, `days` after the submission. */
function asked(from: Contribution, days = 1): Contribution {
  const at = new Date(submittedAt.getTime() + days * dayMs);
  const act = { actor: 'mod', at, reason: 'Leave the name of the client out.', requestId: `ask-${days}` };
  const expectedRevision = from.revision;
  return review({ command: { kind: 'request_changes' }, act, expectedRevision })(from).contribution;
}

function newText(fields: Partial<NewText> = {}): NewText {
  const { body = 'The second text of it.' } = fields;
  const payloadHash = Buffer.from(body).toString('hex').padEnd(64, '0').slice(0, 64);
  return {
    ...{ title: 'The first title', body, name: 'Jo', language: undefined },
    ...{ contributor, idempotencyKey: undefined, payloadHash, ...fields },
  };
}

function send(to: Contribution, request: NewText, requestId = 'r1', days = 2) {
  const now = new Date(submittedAt.getTime() + days * dayMs);
  return sendNewText(request, 'en', { now, requestId }, 'Example Ltd')(to);
}

describe('sendNewText', () => {
  it('refuses the address of the human, as with the first text', () => {
    const withAddress = () => send(asked(contribution()), newText({ body: 'Write to JO@example.org about it.' }));
    expect(withAddress).toThrow(/body must not contain the e-mail address of the human \(line 1\)/);
  });

  it('puts the contribution back into the queue, and keeps the text before', () => {
    const { contribution: after, notices, replayed } = send(asked(contribution()), newText({ name: undefined }));
    expect([notices, replayed]).toEqual([[], false]);
    expect(after).toMatchObject({ state: 'pending_review', body: 'The second text of it.', name: null, revision: 3 });
    expect(after).toMatchObject({ reason: '', submittedAt, reviewedAt: new Date(submittedAt.getTime() + dayMs) });
    expect(after.history.at(-1)).toMatchObject({ from: 'changes_requested', actor: 'token:t1', revision: 3 });
    const before = { title: 'The first title', body: 'The first text of it.', name: 'Jo', language: 'en' };
    expect(after.textChanges).toEqual([
      expect.objectContaining({ revision: 3, by: 'agent', reason: '', fields: ['body', 'name'], before }),
    ]);
    expect(asFirstResponse(after)).toMatchObject({ title: 'The first title', name: 'Jo', revision: 1 });
  });

  it('takes a new text of an inquiry, without a title', () => {
    const inquiry = asked(contribution('inquiry'));
    expect(send(inquiry, newText({ title: undefined })).contribution.state).toBe('pending_review');
    expect(() => send(inquiry, newText())).toThrow('title is not a field of the type inquiry');
  });

  it.each<[string, Partial<NewText>, object]>([
    ['another agent', { contributor: { ...contributor, authorizationId: 'a2' } }, { code: 'not_found' }],
    ['another human', { contributor: { ...contributor, email: 'al@example.org' } }, { code: 'not_found' }],
    ['no scope', { contributor: { ...contributor, scopes: ['write:inquiry'] } }, { code: 'insufficient_scope' }],
    ['no title', { title: undefined }, { message: expect.stringContaining('title is required') }],
    ['a hidden character', { title: 'A tit\u200ble' }, { message: expect.stringContaining('title') }],
    ['a short text', { body: 'short' }, { message: expect.stringContaining('body must have at least 10') }],
    ['an address as the name', { name: 'jo@example.org' }, { message: expect.stringContaining('e-mail address') }],
    ['the name of the operator', { name: 'Example Ltd' }, { message: expect.stringContaining('name must be') }],
    ['no language', { language: 'no language' }, { message: expect.stringContaining('language') }],
    ['a long key', { idempotencyKey: 'k'.repeat(129) }, { message: expect.stringContaining('Idempotency-Key') }],
    ['the same text', { body: 'The first text of it.' }, { message: expect.stringContaining('the same as before') }],
  ])('refuses %s', (_, fields, error) => {
    expect(() => send(asked(contribution()), newText(fields))).toThrow(expect.objectContaining(error));
  });

  it('takes a text only after a moderator asked', () => {
    expect(() => send(contribution(), newText())).toThrow(
      'The contribution is pending_review now; a new text is accepted only after a moderator asked for changes.',
    );
  });

  it('knows a repeat by its payload as long as its text is the current one', () => {
    const once = send(asked(contribution()), newText()).contribution;
    expect(send(once, newText(), 'r1')).toMatchObject({ contribution: once, replayed: false });
    expect(send(once, newText(), 'r2')).toEqual({ contribution: once, notices: [], replayed: true });
    expect(() => send(once, newText({ body: 'Another text of it.' }), 'r3')).toThrow(/only after a moderator asked/);
    const again = asked(once, 3);
    expect(() => send(again, newText(), 'r4', 4)).toThrow('The text is the same as before');
  });

  it('knows a repeat by its key for 24 hours, also when a moderator asked again', () => {
    const keyed = newText({ idempotencyKey: 'k1' });
    const again = asked(send(asked(contribution()), keyed).contribution, 2.5);
    expect(send(again, keyed, 'r2', 2.9)).toEqual({ contribution: again, notices: [], replayed: true });
    const other = newText({ idempotencyKey: 'k1', body: 'Another text of it.' });
    expect(() => send(again, other, 'r3', 2.9)).toThrow(expect.objectContaining({ code: 'idempotency_conflict' }));
    expect(send(again, other, 'r3', 3.1).contribution.state).toBe('pending_review');
  });

  it('takes 20 texts of a contribution', () => {
    let now = contribution();
    for (let text = 1; text <= 20; text++) {
      now = send(asked(now), newText({ body: `The text number ${text}.` }), `r${text}`).contribution;
    }
    const message = 'All 20 new texts of this contribution are used; withdraw it and send another contribution.';
    const refused = expect.objectContaining({ code: 'invalid_state', message });
    expect(() => send(asked(now), newText())).toThrow(refused);
  });
});

describe('endWithoutNewText', () => {
  it('withdraws after 30 days, as the system, and not earlier', () => {
    const waiting = asked(contribution());
    const due = new Date(submittedAt.getTime() + 31 * dayMs);
    expect(changesDueAt(waiting)).toEqual(due);
    expect(endWithoutNewText(waiting, new Date(due.getTime() - 1)).contribution).toBe(waiting);
    const { contribution: ended, notices } = endWithoutNewText(waiting, due);
    const end = { from: 'changes_requested', to: 'withdrawn', actor: 'system', reason: 'no new text within 30 days' };
    expect(ended.history.at(-1)).toMatchObject(end);
    expect(notices).toEqual([]);
  });

  it('leaves a contribution whose new text arrived', () => {
    const answered = send(asked(contribution()), newText()).contribution;
    expect(endWithoutNewText(answered, new Date('2027-01-01')).contribution).toBe(answered);
    expect(changesDueAt(answered)).toBeUndefined();
  });
});
