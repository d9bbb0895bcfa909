import { Contribution as WireContribution } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import type { ContributionType } from '@knowledge/runtime/product';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toWireContribution } from '../handlers/wire-contribution.js';
import { sentAt } from '../testing/texts.js';
import type { Command, Contribution } from './contribution.js';
import { eraseContribution } from './erasure.js';
import { applyHeld, undoDecision } from './held-decision.js';
import { review } from './review.js';

const start = new Date('2026-06-01T10:00:00Z');
const after = (seconds: number) => new Date(start.getTime() + seconds * 1000);

const contribution = (type: ContributionType = 'story') =>
  sentAt(start, { type, title: 'A title', body: 'A body that is long enough.', name: 'Jo' });

const act = (actor: string, seconds: number, requestId = `${actor} ${seconds}`, reason = 'a reason') => ({
  ...{ actor, at: after(seconds), requestId, reason },
});
/** What the message carries. */
const shownOf = (of: Contribution): WireContribution =>
  WireContribution.decode(WireContribution.encode(toWireContribution(of)).finish());
const held = (of: Contribution, command: Command, by = act('ann', 0)): Contribution =>
  review({ command, act: by, holdSeconds: 30 })(of).contribution;
const publish: Command = { kind: 'approve_and_publish' };
const withdraw: Command = { kind: 'withdraw' };

describe('a held decision', () => {
  const decisions: [ContributionType, Command][] = [
    ['story', { kind: 'approve' }],
    ['story', publish],
    ['story', { kind: 'request_changes' }],
    ['story', { kind: 'reject' }],
    ['inquiry', { kind: 'answer', text: 'So it is done.' }],
    ['inquiry', { kind: 'close', note: 'spam' }],
  ];

  it.each(decisions)('%s %j: shows nobody anything, and then does what the decision does at once', (type, command) => {
    const before = contribution(type);
    const waiting = held(before, command);
    const { revision: _, ...shown } = shownOf(waiting);
    expect(shownOf(before)).toMatchObject(shown);
    const entry = { from: 'pending_review', to: 'decided', decision: command.kind, actor: 'ann', reason: 'a reason' };
    expect(waiting.history.at(-1)).toMatchObject({ ...entry, revision: 2 });
    expect(applyHeld(waiting, after(29)).contribution).toBe(waiting);

    const applied = applyHeld(waiting, after(30));
    const at = { ...act('ann', 0), at: after(30) };
    const atOnce = review({ command, act: at })(before);
    expect(applied.notices).toEqual(atOnce.notices);
    const revisions = { revision: 0, shownRevision: 0 };
    const same = { ...shownOf(atOnce.contribution), ...revisions };
    expect({ ...shownOf(applied.contribution), ...revisions }).toEqual(same);
    expect(applied.contribution).toMatchObject({ held: null, note: atOnce.contribution.note });
    expect(applied.contribution.history.at(-1)).toMatchObject({ actor: 'ann', at: after(30), reason: 'a reason' });
    expect(applyHeld(applied.contribution, after(60)).contribution).toBe(applied.contribution);
  });

  it('is refused where the decision would be, and for more than a minute', () => {
    expect(() => held(contribution('inquiry'), publish)).toThrow(/This is an inquiry/);
    const hold = (holdSeconds: number) => () => review({ command: publish, act: act('ann', 0), holdSeconds });
    for (const seconds of [-1, 61]) expect(hold(seconds)).toThrow(/hold_seconds must be 0 to 60/);
    const retraction = { command: { kind: 'retract' } as const, act: act('ann', 0), holdSeconds: 1 };
    expect(() => review(retraction)).toThrow(/hold_seconds must be 0, since/);
  });

  it('refuses the decisions of others, and says who decided what and until when', () => {
    const waiting = held(contribution(), { kind: 'reject' });
    const facts = { decided_by: 'ann', decision: 'reject', takes_effect_at: after(30).toISOString() };
    const refused = {
      ...{ code: 'invalid_state', metadata: expect.objectContaining(facts) },
      message: expect.stringContaining('ann has decided: reject. This takes effect at 10:00:30 UTC'),
    };
    const decided = review({ command: publish, act: act('bob', 5), expectedRevision: 1 });
    expect(() => decided(waiting)).toThrow(expect.objectContaining(refused));
  });

  it('gives way to a withdrawal and to an erasure', () => {
    const waiting = held(contribution(), publish);
    const { contribution: withdrawn } = review({ command: withdraw, act: act('human', 5) })(waiting);
    expect(withdrawn).toMatchObject({ state: 'withdrawn', held: null });
    expect(applyHeld(withdrawn, after(30)).notices).toEqual([]);
    const erased = eraseContribution(waiting, true, act('support', 5));
    expect(erased).toMatchObject({ kind: 'deleted', remains: { held: null } });
    expect(JSON.stringify(erased)).not.toContain('a reason');
  });

  it('is recognised when its request is repeated: while it waits, when it is applied or undone', () => {
    const waiting = held(contribution(), publish);
    const { contribution: applied } = applyHeld(waiting, after(30));
    const { contribution: undone } = undoDecision(act('bob', 9), 0)(waiting);
    for (const each of [waiting, applied, undone]) expect(held(each, publish)).toBe(each);
    expect(held(undone, publish, act('ann', 10)).held).toMatchObject({ actor: 'ann' });
  });

  it('is dropped with an entry if it is no longer possible', () => {
    // A replica of an older release withdraws and leaves the held decision.
    const { held: left } = held(contribution(), publish);
    const { contribution: gone } = review({ command: withdraw, act: act('human', 5) })(contribution());
    const { contribution: dropped, notices } = applyHeld({ ...gone, held: left }, after(30));
    expect(notices).toEqual([]);
    expect(dropped).toMatchObject({ state: 'withdrawn', held: null, revision: 3 });
    expect(dropped.history.at(-1)).toMatchObject({ to: 'dropped', actor: 'ann', decision: 'approve_and_publish' });
    expect(dropped.history.at(-1)?.reason).toMatch(/^The contribution is withdrawn now/);
  });

  it('cannot fill the history without end', () => {
    let now = contribution();
    for (let seconds = 0; now.history.length < 500; seconds++) {
      now = held(now, publish, act('ann', seconds));
      now = undoDecision(act('ann', seconds, `undo ${seconds}`), 0)(now).contribution;
    }
    expect(() => held(now, publish, act('ann', 1000))).toThrow(/too often/);
  });
});

describe('an undo', () => {
  it('by anybody leaves everything but the history as it was, and says whose decision it was', () => {
    const before = contribution();
    const { contribution: undone } = undoDecision(act('bob', 9, 'r'), 0)(held(before, { kind: 'reject' }));
    expect(undone).toEqual({ ...before, revision: 3, history: expect.anything() });
    const entry = { from: 'pending_review', to: 'undone', actor: 'bob', reason: 'the decision of ann' };
    expect(undone.history.at(-1)).toMatchObject({ ...entry, decision: 'reject' });
    expect(undoDecision(act('bob', 9, 'r'), 2)(undone).contribution).toBe(undone);
  });

  it.each<[Command, ContributionType, RegExp]>([
    [publish, 'story', /Retract it/],
    [{ kind: 'approve' }, 'story', /Reject it/],
    [{ kind: 'request_changes' }, 'story', /Its agent has the words/],
    [{ kind: 'reject' }, 'story', /Reopen it/],
    [{ kind: 'answer', text: 'So.' }, 'inquiry', /Send a corrected answer/],
    [{ kind: 'close', note: '' }, 'inquiry', /Reopen it/],
  ])('of %j that comes too late is told what can be done instead', (command, type, instead) => {
    const waiting = held(contribution(type), command);
    const { contribution: applied } = applyHeld(waiting, after(31));
    for (const each of [waiting, applied]) {
      expect(() => undoDecision(act('bob', 30), 0)(each)).toThrow(instead);
    }
  });

  it('is refused if nothing is held, or another revision was seen', () => {
    expect(() => undoDecision(act('bob', 1), 0)(contribution())).toThrow(/no decision to undo; it is pending review/);
    expect(() => undoDecision(act('bob', 1), 7)(contribution())).toThrow(/no decision to undo/);
    expect(() => undoDecision(act('bob', 1), 1)(held(contribution(), publish))).toThrow(/you saw revision 1/);
  });
});

it('any sequence of decisions, undos, withdrawals and ticks leaves one public outcome and a whole history', () => {
  const step = fc.constantFrom('publish', 'reject', 'undo', 'withdraw', 'tick');
  fc.assert(
    fc.property(fc.array(fc.tuple(step, fc.nat({ max: 40 })), { maxLength: 12 }), (steps) => {
      let now = contribution();
      let seconds = 0;
      const notices: string[] = [];
      for (const [kind, passed] of steps) {
        seconds += passed;
        const by = act('ann', seconds, `${kind} ${seconds} ${now.revision}`);
        const rule = {
          publish: () => review({ command: publish, act: by, holdSeconds: 30 })(now),
          reject: () => review({ command: { kind: 'reject' }, act: by, holdSeconds: 30 })(now),
          undo: () => undoDecision(by, 0)(now),
          withdraw: () => review({ command: withdraw, act: by })(now),
          tick: () => applyHeld(now, by.at),
        }[kind];
        try {
          const outcome = rule();
          now = outcome.contribution;
          notices.push(...outcome.notices);
        } catch {
          continue;
        }
        if (now.held !== null) expect(now.state).toBe('pending_review');
        expect(now.history.map(({ revision }) => revision)).toEqual(now.history.map((_, at) => at + 1));
      }
      const ended = now.history.filter(({ to }) => ['published', 'rejected', 'withdrawn'].includes(to));
      expect(ended.length).toBeLessThanOrEqual(1);
      expect(notices).toEqual(ended.map(({ to }) => to).filter((to) => to !== 'withdrawn'));
    }),
  );
});
