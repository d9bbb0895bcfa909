import type { ContributionState, ContributionType } from '@knowledge/runtime/product';
import { contributionTypes, decisionNames, decisions } from '@knowledge/runtime/product';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { contributionOf } from '../testing/texts.js';
import { asFirstResponse, type Command, type Contribution, type Notice } from './contribution.js';
import { allowedDecisions, checkCommand, decide, isRepeatOfLastChange, review } from './review.js';

const submittedAt = new Date('2026-06-01T00:00:00Z');
const act = { actor: 'mod', at: new Date('2026-06-02T00:00:00Z'), reason: '', requestId: 'r1' };

function contribution(type: ContributionType = 'story', state: ContributionState = 'pending_review'): Contribution {
  return contributionOf({ type, state, title: type === 'story' ? 'A title' : null });
}

const commands: Record<Command['kind'], Command> = {
  ...{ approve: { kind: 'approve' }, approve_and_publish: { kind: 'approve_and_publish' } },
  ...{ publish: { kind: 'publish' }, retract: { kind: 'retract' }, request_changes: { kind: 'request_changes' } },
  ...{ reject: { kind: 'reject' }, reopen: { kind: 'reopen' }, close: { kind: 'close', note: 'spam' } },
  ...{ answer: { kind: 'answer', text: 'So it is done.' }, withdraw: { kind: 'withdraw' } },
  take_down: { kind: 'take_down' },
};

type Edges = Partial<Record<ContributionState, Partial<Record<Command['kind'], string>>>>;
const unfinished = { request_changes: 'changes_requested', withdraw: 'withdrawn' };
/** A second, hand-written copy of the transitions in gateway/PROTOCOL.md#states. */
const edges: Record<'inquiry' | 'work', Edges> = {
  work: {
    pending_review: { ...unfinished, approve: 'approved', approve_and_publish: 'published', reject: 'rejected' },
    changes_requested: { reject: 'rejected', withdraw: 'withdrawn' },
    approved: { publish: 'published', reject: 'rejected', take_down: 'retracted' },
    published: { retract: 'retracted', take_down: 'retracted' },
    retracted: { publish: 'published' },
  },
  inquiry: {
    pending_review: { ...unfinished, answer: 'answered', close: 'closed' },
    changes_requested: { close: 'closed', withdraw: 'withdrawn' },
    answered: { answer: 'answered' },
  },
};
// Only one of these states can be reached with each type.
const ended: Edges = { rejected: { reopen: 'pending_review' }, closed: { reopen: 'pending_review' } };
const states: ContributionState[] = [
  ...(['pending_review', 'changes_requested', 'approved', 'published', 'retracted'] as const),
  ...(['rejected', 'withdrawn', 'answered', 'closed'] as const),
];

describe('decide', () => {
  it.each(contributionTypes)('allows exactly the transitions of the protocol for a %s', (type) => {
    for (const state of states) {
      for (const command of Object.values(commands)) {
        const to = { ...ended[state], ...edges[type === 'inquiry' ? 'inquiry' : 'work'][state] }[command.kind];
        const before = contribution(type, state);
        if (to === undefined) {
          const refused = expect.objectContaining({ code: 'invalid_state' });
          expect(() => decide(before, command, act), `${command.kind} from ${state}`).toThrow(refused);
        } else {
          expect(decide(before, command, act).contribution.state).toBe(to);
        }
      }
    }
  });

  it('corrects an answer and mails the human again', () => {
    const answered = decide(contribution('inquiry'), commands.answer, act).contribution;
    const { contribution: corrected, notices } = decide(answered, { kind: 'answer', text: 'Another text.' }, act);
    expect(corrected).toMatchObject({ state: 'answered', answer: 'Another text.' });
    expect(notices).toEqual(['answered']);
    expect(corrected.history.at(-1)).toMatchObject({ from: 'answered', to: 'answered' });
  });

  it('approves and publishes in one step, with two transitions in the history', () => {
    const because = { ...act, reason: 'well told' };
    const { contribution: after, notices } = decide(contribution(), commands.approve_and_publish, because);
    expect(after).toMatchObject({ state: 'published', revision: 3, reviewedAt: act.at, publishedAt: act.at });
    expect(after.history.map(({ from, to, revision, actor, reason }) => [from, to, revision, actor, reason])).toEqual([
      ['', 'pending_review', 1, 'token:t', ''],
      ['pending_review', 'approved', 2, 'mod', 'well told'],
      ['approved', 'published', 3, 'mod', 'well told'],
    ]);
    expect(after.publication).toEqual({ action: 'publish', revision: 3, reason: '', attempts: 0, dueAt: act.at });
    expect(notices).toEqual(['published']);
  });

  it.each<[ContributionType, ContributionState, Command['kind'], Notice[]]>([
    ['story', 'pending_review', 'request_changes', ['changes_requested']],
    ['story', 'pending_review', 'reject', ['rejected']],
    ['story', 'rejected', 'reopen', ['reopened']],
    ['story', 'published', 'retract', ['retracted']],
    ['story', 'published', 'take_down', ['retracted']],
    ['inquiry', 'pending_review', 'answer', ['answered']],
    ['inquiry', 'pending_review', 'close', ['closed']],
    ['story', 'pending_review', 'approve', []],
    ['story', 'pending_review', 'withdraw', []],
  ])('mails the human about decisions of moderators alone: a %s that is %s, %s', (type, state, kind, notices) => {
    expect(decide(contribution(type, state), commands[kind], act).notices).toEqual(notices);
  });

  it('keeps revisions without gaps, the last catalog change and the first date for any sequence of commands', () => {
    const steps = fc.array(fc.constantFrom(...Object.values(commands)), { maxLength: 12 });
    fc.assert(
      fc.property(steps, fc.constantFrom('story', 'inquiry'), (walk, type) => {
        let now = contribution(type);
        let first: Date | null = null;
        for (const [at, command] of walk.entries()) {
          const when = new Date(act.at.getTime() + at);
          try {
            now = decide(now, command, { ...act, at: when }).contribution;
          } catch {
            continue;
          }
          if (now.state === 'published') first ??= when;
          const { history } = now;
          expect(history.map(({ revision }) => revision)).toEqual(history.map((_, i) => i + 1));
          for (const [i, { from }] of history.entries()) expect(from).toBe(i === 0 ? '' : history[i - 1]?.to);
          expect(now.publishedAt).toEqual(first);
          // If the human takes a text down before it is published, the catalog never had it.
          if (now.state === 'published' || (now.state === 'retracted' && first !== null)) {
            const action = now.state === 'published' ? 'publish' : 'retract';
            expect(now.publication).toMatchObject({ action, revision: now.revision });
          } else expect(now.publication).toBeNull();
          expect(asFirstResponse(now)).toEqual(contribution(type));
        }
      }),
    );
  });
});

it('refuses to publish a text that its human took down, and sends the catalog no change of an unknown text', () => {
  const human = { ...act, actor: 'human' };
  const accepted = decide(contribution('story', 'pending_review'), commands.approve, act);
  const { contribution: down } = decide(accepted.contribution, commands.take_down, human);
  expect([down.state, down.publication]).toEqual(['retracted', null]);
  expect(() => decide(down, commands.publish, act)).toThrow(/Its human took it down/);
});

it.each(Object.values(commands))(
  'a repeated command $kind: is recognised by its request id, unless its contents differ',
  (command) => {
    const published = { retract: 'published', take_down: 'published' } as const;
    const from = { approve: 'pending_review', publish: 'approved', reopen: 'rejected', ...published } as const;
    const state = command.kind in from ? from[command.kind as keyof typeof from] : 'pending_review';
    const type = command.kind === 'answer' || command.kind === 'close' ? 'inquiry' : 'story';
    const done = decide(contribution(type, state), command, act).contribution;
    expect(isRepeatOfLastChange(done, command, act)).toBe(true);
    expect(isRepeatOfLastChange(done, command, { ...act, requestId: 'r2' })).toBe(false);
    expect(isRepeatOfLastChange(done, command, { ...act, actor: 'another' })).toBe(false);
    expect(isRepeatOfLastChange(done, command, { ...act, reason: 'another' })).toBe(false);
    if ('text' in command) expect(isRepeatOfLastChange(done, { ...command, text: 'another' }, act)).toBe(false);
    expect(isRepeatOfLastChange(contribution(type, state), command, act)).toBe(false);
  },
);

describe('allowedDecisions', () => {
  const all = contributionTypes.flatMap((type) => states.map((state) => contribution(type, state)));

  it.each(all)('gives exactly those that are not refused: $type, $state', (before) => {
    const allowed = decisionNames.filter((kind) => {
      try {
        return decide(before, commands[kind], act);
      } catch {
        return false;
      }
    });
    expect(allowedDecisions(before)).toEqual(allowed);
  });

  it.each(all)('gives each its own key, which no other control of the desks has: $type, $state', (before) => {
    const keys = allowedDecisions(before).map((name) => decisions[name].key);
    expect(new Set([...keys, ...'ejkuqs']).size).toBe(keys.length + 6);
  });

  it('gives none while a decision is held, and not the publication of what its human took down', () => {
    const held = review({ command: commands.approve, act, holdSeconds: 30 })(contribution()).contribution;
    expect(allowedDecisions(held)).toEqual([]);
    const down = decide(contribution('story', 'published'), commands.take_down, { ...act, actor: 'human' });
    expect(allowedDecisions(down.contribution)).toEqual([]);
  });
});

describe('checkCommand', () => {
  it.each<[Command, string, RegExp]>([
    [{ kind: 'reject' }, ' ', /reason is required/],
    [{ kind: 'request_changes' }, '', /reason is required/],
    [{ kind: 'request_changes' }, 'x'.repeat(2001), /reason must have at most 2000/],
    [{ kind: 'retract' }, '', /reason is required/],
    [{ kind: 'answer', text: '' }, '', /text is required/],
    [{ kind: 'answer', text: 'x'.repeat(8001) }, '', /text must have at most 8000/],
    [{ kind: 'close', note: '' }, 'x'.repeat(2001), /reason must have at most 2000/],
    [{ kind: 'close', note: 'x'.repeat(2001) }, '', /note must have at most 2000/],
    [{ kind: 'approve_and_publish' }, '\0', /reason must be well-formed/],
    [{ kind: 'reject', text: 'An answer.' }, 'off topic', /text is not a field of this decision/],
    [{ kind: 'reject', note: 'spam' }, 'off topic', /note is not a field of this decision/],
  ])('refuses %j with the reason %j', (command, reason, message) => {
    expect(() => checkCommand(command, reason)).toThrow(message);
  });

  it('accepts texts within the bounds', () => {
    for (const command of Object.values(commands)) expect(() => checkCommand(command, 'a reason')).not.toThrow();
  });
});

describe('review', () => {
  const request = { command: commands.approve, act };

  it('refuses an invalid text and a negative revision before it reads a contribution', () => {
    const tooLong = { ...act, reason: 'x'.repeat(2001) };
    expect(() => review({ ...request, act: tooLong })).toThrow(/reason must have at most 2000/);
    const refused = { code: 'validation_error', message: 'expected_revision must be 0 or more.' };
    expect(() => review({ ...request, expectedRevision: -1 })).toThrow(expect.objectContaining(refused));
    expect(() => review({ ...request, expectedRevision: 0 })).not.toThrow();
  });

  it.each(decisionNames)(
    'refuses to decide about a text of the agent that the moderator has not opened: %s',
    (kind) => {
      const change = { revision: 3, at: act.at, by: 'agent' as const, reason: '', fields: [] };
      const sent = { ...contribution(), revision: 3, textChanges: [change], looks: [{ actor: 'mod', revision: 2 }] };
      const decideUnseen = review({ command: commands[kind], act: { ...act, reason: 'why' } });
      expect(() => decideUnseen(sent)).toThrow(/^Its agent changed the text .+ and you have not opened it since/);
    },
  );

  it('does not find the contribution of another owner', () => {
    const owner = { email: 'jo@example.org', authorizationId: 'a1' };
    expect(review({ ...request, owner })(contribution()).contribution.state).toBe('approved');
    const other = review({ ...request, owner: { ...owner, authorizationId: 'a2' } });
    expect(() => other(contribution())).toThrow(expect.objectContaining({ code: 'not_found' }));
  });

  it('refuses a stale revision and names the current one', () => {
    expect(review({ ...request, expectedRevision: 1 })(contribution()).contribution.revision).toBe(2);
    const refused = {
      ...{ code: 'invalid_state', grpcStatus: 10, metadata: { state: 'pending_review', revision: '1' } },
      message: 'The contribution has revision 1 now and is pending_review; you saw revision 7.',
    };
    const stale = review({ ...request, expectedRevision: 7 });
    expect(() => stale(contribution())).toThrow(expect.objectContaining(refused));
  });

  it('returns the same contribution without a mail for a repeated request', () => {
    const command = commands.approve_and_publish;
    const done = decide(contribution(), command, act).contribution;
    expect(review({ command, act, expectedRevision: 1 })(done)).toEqual({ contribution: done, notices: [] });
    expect(() => review({ command: commands.approve, act })(done)).toThrow(/The contribution is published now/);
  });
});

describe('the error of a refused command', () => {
  const refusal = (type: ContributionType, state: ContributionState, command: Command, changes = {}) => {
    try {
      return decide({ ...contribution(type, state), ...changes }, command, act);
    } catch (error) {
      const { message, metadata } = error as { message: string; metadata: unknown };
      return { message, metadata };
    }
  };

  it('names the type for which a command is not allowed', () => {
    const inquiry = 'This is an inquiry: it can be answered or closed, but not published or rejected.';
    expect(refusal('inquiry', 'pending_review', commands.reject)).toMatchObject({ message: inquiry });
    const reply = 'This is a prompt_reply: only an inquiry can be answered or closed.';
    expect(refusal('prompt_reply', 'pending_review', commands.close)).toMatchObject({ message: reply });
  });

  it('contains the state and the revision for programs', () => {
    expect(refusal('story', 'rejected', commands.take_down)).toEqual({
      message: 'The contribution is rejected now (revision 1); to take down it, it must be approved or published.',
      metadata: { state: 'rejected', revision: '1' },
    });
    expect(refusal('inquiry', 'answered', commands.answer, { answer: 'So it is done.' })).toEqual({
      message: 'The inquiry has exactly this answer already; a correction needs another text.',
      metadata: { state: 'answered', revision: '1' },
    });
    const history = [{ from: 'published', to: 'retracted', actor: 'human', at: submittedAt, reason: '', revision: 1 }];
    expect(refusal('story', 'retracted', commands.publish, { history })).toEqual({
      message: 'Its human took it down, so it cannot be published again. They can send a new text.',
      metadata: { state: 'retracted', revision: '1' },
    });
  });
});

describe('the changed contribution', () => {
  const because = { ...act, reason: 'because' };
  const reviewedAt = act.at;
  const retraction = { action: 'retract', reason: 'retracted by a moderator', dueAt: act.at };

  it.each<[ContributionType, ContributionState, Command['kind'], object]>([
    ['story', 'pending_review', 'reject', { reason: 'because', reviewedAt, updatedAt: act.at }],
    ['inquiry', 'pending_review', 'close', { reason: 'because', note: 'spam', reviewedAt }],
    ['inquiry', 'pending_review', 'answer', { answer: 'So it is done.', reviewedAt }],
    ['story', 'pending_review', 'withdraw', { reason: '', reviewedAt: null }],
    ['story', 'published', 'retract', { reason: 'because', publication: retraction }],
  ])('has the words and the time of the decision: a %s that is %s, %s', (type, state, kind, changed) => {
    expect(decide(contribution(type, state), commands[kind], because).contribution).toMatchObject(changed);
  });

  it('loses the old reason when it is reopened', () => {
    for (const ended of [
      decide(contribution('story'), commands.reject, because).contribution,
      decide(contribution('inquiry'), commands.close, because).contribution,
    ])
      expect(decide(ended, commands.reopen, act).contribution).toMatchObject({ reason: '', state: 'pending_review' });
  });

  it('loses the old reason when it is published again', () => {
    const retracted = decide(contribution('story', 'published'), commands.retract, because).contribution;
    const { contribution: again, notices } = decide(retracted, commands.publish, act);
    expect(again).toMatchObject({ reason: '', publication: { action: 'publish', reason: '' } });
    expect(notices).toEqual(['published']);
  });

  it('has a reason for the catalog, but none for the human, after the human takes a text down', () => {
    const published = { ...contribution('story', 'published'), publishedAt: submittedAt, reason: 'before' };
    const { contribution: down, notices } = decide(published, commands.take_down, { ...because, actor: 'human' });
    expect(notices).toEqual(['retracted']);
    expect(down).toMatchObject({ reason: '', publication: { action: 'retract', reason: 'taken down by its human' } });
    const accepted = decide(contribution('story', 'approved'), commands.take_down, because);
    expect(accepted).toMatchObject({ contribution: { publication: null }, notices: ['retracted'] });
  });

  it('has the request id in its history only if there is one', () => {
    const { requestId: _, ...direct } = act;
    const historyOf = (by: typeof direct) => decide(contribution(), commands.withdraw, by).contribution.history.at(-1);
    expect(historyOf(act)).toHaveProperty('requestId', 'r1');
    expect(historyOf(direct)).not.toHaveProperty('requestId');
    const done = decide(contribution(), commands.withdraw, direct).contribution;
    expect(isRepeatOfLastChange(done, commands.withdraw, direct)).toBe(false);
    expect(isRepeatOfLastChange({ ...done, history: [] }, commands.withdraw, act)).toBe(false);
  });
});
