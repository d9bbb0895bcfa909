import type { Attribution } from '@knowledge/runtime';
import { formatUtcTime, KnowledgeError } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import type { Command } from './command.js';
import {
  type Contribution,
  type ContributionState,
  type DecidedGroup,
  isOf,
  type Notice,
  type Owner,
  type Publication,
  seenBy,
  unknownContribution,
  waitingStates,
} from './contribution.js';
import { holdDecision, isRepeatOfHeld, maxHoldSeconds, neverWaits, requireNotHeld, shownRevision } from './hold.js';
import { refuseFaults, textFault } from './text.js';

/**
 * The changed contribution and the mails to send. For a repeated request it has the unchanged contribution and no
 * mails.
 */
export interface Outcome {
  contribution: Contribution;
  notices: Notice[];
}

/** The states from which each command is allowed (gateway/PROTOCOL.md#states). */
const allowedFrom: Readonly<Record<Command['kind'], readonly ContributionState[]>> = {
  approve: ['pending_review'],
  publish: ['approved', 'retracted'],
  retract: ['published'],
  take_down: ['approved', 'published'],
  request_changes: ['pending_review'],
  reject: ['pending_review', 'changes_requested', 'approved'],
  reopen: ['rejected', 'closed'],
  answer: ['pending_review', 'answered'],
  close: waitingStates,
  withdraw: waitingStates,
};

export interface ReviewRequest {
  command: Command;
  act: Attribution;
  /** If set, the contribution of another owner is treated as unknown. */
  owner?: Owner;
  /** The revision that the moderator has seen; 0 for the one at which they last opened it. */
  expectedRevision?: number;
  /** Other revisions than these are refused; empty for any. */
  ifRevisions?: readonly number[];
  /** For how long the decision is held, so that it can be undone; 0 decides at once. */
  holdSeconds?: number;
  /** The decision about many, of which a held decision is a part. */
  group?: DecidedGroup;
}

/**
 * Checks a request. Returns the function that applies it to a contribution.
 *
 * @throws KnowledgeError `validation_error` for the fields of the request. The returned function throws `not_found` or
 * `invalid_state`.
 */
export function review(request: ReviewRequest): (contribution: Contribution) => Outcome {
  const { command, act, owner, expectedRevision = 0, ifRevisions = [], holdSeconds = 0, group } = request;
  checkCommand(command, act.reason);
  if (expectedRevision < 0) throw new KnowledgeError('validation_error', 'expected_revision must be 0 or more.');
  if (holdSeconds < 0 || holdSeconds > maxHoldSeconds) {
    throw new KnowledgeError('validation_error', `hold_seconds must be 0 to ${maxHoldSeconds}.`);
  }
  return (contribution) => {
    if (owner !== undefined && !isOf(contribution, owner)) throw unknownContribution();
    const repeated = [isRepeatOfLastChange, isRepeatOfHeld, isWithdrawnBy].some((is) => is(contribution, command, act));
    if (repeated) return { contribution, notices: [] };
    requireOneOf(ifRevisions, contribution);
    requireNotHeld(contribution, command);
    if (!neverWaits.includes(command.kind)) requireSeen(contribution, act.actor, expectedRevision);
    const outcome = decide(contribution, command, act);
    return holdSeconds === 0
      ? outcome
      : { contribution: holdDecision(contribution, command, act, holdSeconds, group), notices: [] };
  };
}

/** @throws KnowledgeError `validation_error` if a reason or text is missing or too long. */
export function checkCommand(command: Command, reason: string): void {
  refuseFaults([textFaultOf(command, reason)]);
}

/**
 * A decision is about a text, not about an id.
 *
 * @throws KnowledgeError `invalid_state` if the contribution has another revision. With 0: if agent or human changed the
 * text since the moderator last opened it.
 */
export function requireSeen(contribution: Contribution, actor: string, expected: number): void {
  requireRevision(contribution, expected);
  const { textChanges, state, revision } = contribution;
  const unseen = textChanges.findLast(({ by }) => by !== 'moderator');
  if (expected !== 0 || unseen === undefined || unseen.revision <= seenBy(contribution, actor)) return;
  const when = formatUtcTime(unseen.at);
  const message = `Its ${unseen.by} changed the text (revision ${unseen.revision}, ${when}), and you have not opened it since. Nothing was changed. Read it with "knowledge review show" or GetContributionRecord, or name the revision that you decide about.`;
  throw new KnowledgeError('invalid_state', message, {
    grpcStatus: 10,
    metadata: { state, revision: String(revision) },
  });
}

/** @throws KnowledgeError `invalid_state` if the contribution has another revision; 0 skips the check. */
export function requireRevision({ state, revision }: Contribution, expected: number): void {
  if (expected === 0 || expected === revision) return;
  const message = `The contribution has revision ${revision} now and is ${state}; you saw revision ${expected}.`;
  throw new KnowledgeError('invalid_state', message, {
    // ABORTED tells clients that the revision is stale.
    grpcStatus: 10,
    metadata: { state, revision: String(revision) },
  });
}

/** @throws KnowledgeError `precondition_failed` if the contribution has none of these revisions; empty for any. */
export function requireOneOf(revisions: readonly number[], contribution: Contribution): void {
  const { state } = contribution;
  const revision = shownRevision(contribution);
  if (revisions.length === 0 || revisions.includes(revision)) return;
  const message = `The contribution is ${state} now and has the ETag "${revision}", which If-Match does not name. Nothing was changed; read it again first.`;
  throw new KnowledgeError('precondition_failed', message, { metadata: { state, revision: String(revision) } });
}

function textFaultOf(command: Command, reason: string): string | undefined {
  switch (command.kind) {
    case 'approve':
    case 'publish':
    case 'reopen':
      return textFault('reason', reason, bounds.reason);
    case 'close':
      return textFault('reason', reason, bounds.reason) ?? textFault('note', command.note, bounds.reason);
    case 'retract':
    case 'request_changes':
    case 'reject':
      return textFault('reason', reason, { ...bounds.reason, min: 1 });
    case 'answer':
      return textFault('text', command.text, { min: 1, max: bounds.body.max });
    case 'withdraw':
    case 'take_down':
      return undefined;
  }
}

/** Whether the last change has the same request. Callers repeat a request when they lose the response. */
export function isRepeatOfLastChange({ answer, history }: Contribution, command: Command, act: Attribution): boolean {
  const { actor, reason, requestId } = act;
  const last = history.at(-1);
  if (last === undefined || requestId === undefined || last.requestId !== requestId || last.actor !== actor)
    return false;
  const sameAnswer = command.kind !== 'answer' || answer === command.text;
  return last.to === resultOf(command) && last.reason === reason && sameAnswer;
}

// Nothing comes after a withdrawal, so a later request of the same actor has what it wants too.
function isWithdrawnBy({ state, history }: Contribution, { kind }: Command, { actor }: Attribution): boolean {
  if (kind !== 'withdraw' || state !== 'withdrawn') return false;
  return history.findLast(({ to }) => to === state)?.actor === actor;
}

function resultOf(command: Command): ContributionState {
  if (command.kind === 'approve') return command.publish ? 'published' : 'approved';
  return results[command.kind];
}

const results: Readonly<Record<Exclude<Command['kind'], 'approve'>, ContributionState>> = {
  publish: 'published',
  retract: 'retracted',
  request_changes: 'changes_requested',
  reject: 'rejected',
  reopen: 'pending_review',
  answer: 'answered',
  close: 'closed',
  withdraw: 'withdrawn',
  take_down: 'retracted',
};

/**
 * Applies a command to a contribution: the new state with its transition, the change for the catalog, and the mails.
 *
 * @throws KnowledgeError `invalid_state`, with a message that names the current state.
 */
export function decide(contribution: Contribution, command: Command, act: Attribution): Outcome {
  requireAllowed(contribution, command);
  const { at: now, reason } = act;
  switch (command.kind) {
    case 'approve': {
      const approved = changeState(contribution, 'approved', act, { reviewedAt: now });
      return command.publish ? published(approved, act) : { contribution: approved, notices: [] };
    }
    case 'publish':
      return published(contribution, act);
    case 'retract': {
      const retracted = changeState(contribution, 'retracted', act, { reason });
      return { contribution: withPublication(retracted, 'retract', reason, now), notices: ['retracted'] };
    }
    case 'request_changes': {
      const asked = changeState(contribution, 'changes_requested', act, { reason, reviewedAt: now });
      return { contribution: asked, notices: ['changes_requested'] };
    }
    case 'reject': {
      return {
        contribution: changeState(contribution, 'rejected', act, { reason, reviewedAt: now }),
        notices: ['rejected'],
      };
    }
    case 'reopen':
      return { contribution: changeState(contribution, 'pending_review', act, { reason: '' }), notices: ['reopened'] };
    case 'answer': {
      refuseSameAnswer(contribution, command.text);
      const answered = changeState(contribution, 'answered', act, { answer: command.text, reviewedAt: now });
      return { contribution: answered, notices: ['answered'] };
    }
    case 'close': {
      const changes = { reason, note: command.note, reviewedAt: now };
      return { contribution: changeState(contribution, 'closed', act, changes), notices: ['closed'] };
    }
    case 'withdraw':
      return { contribution: changeState(contribution, 'withdrawn', act), notices: [] };
    case 'take_down': {
      const retracted = changeState(contribution, 'retracted', act, { reason: '' });
      // A contribution that was never published is not in the catalog, so the catalog needs no change.
      if (contribution.publishedAt === null) return { contribution: retracted, notices: ['retracted'] };
      return { contribution: withPublication(retracted, 'retract', takenDownReason, now), notices: ['retracted'] };
    }
  }
}

// Refuses an unchanged answer, so that the human does not get the same answer twice.
function refuseSameAnswer({ state, answer, revision }: Contribution, text: string): void {
  if (state !== 'answered' || answer !== text) return;
  throw new KnowledgeError(
    'invalid_state',
    'The inquiry has exactly this answer already; a correction needs another text.',
    {
      metadata: { state, revision: String(revision) },
    },
  );
}

/** The actor of changes that the human makes. */
export const humanActor = 'human';

/** The reason in the content service's log when a human takes a text down. */
const takenDownReason = 'taken down by its human';

/** Records the change for the catalog, with the revision of the contribution. */
export function withPublication(
  contribution: Contribution,
  action: Publication['action'],
  reason: string,
  now: Date,
): Contribution {
  const publication: Publication = { action, revision: contribution.revision, reason, attempts: 0, dueAt: now };
  return { ...contribution, publication };
}

function published(contribution: Contribution, act: Attribution): Outcome {
  const publishedAt = contribution.publishedAt ?? act.at;
  const moved = changeState(contribution, 'published', act, { publishedAt, reason: '' });
  return { contribution: withPublication(moved, 'publish', '', act.at), notices: ['published'] };
}

/** Adds a transition to the history. `changes` are the other fields that change with it. */
export function changeState(
  contribution: Contribution,
  to: ContributionState,
  { actor, at, reason, requestId }: Attribution,
  changes: Partial<Contribution> = {},
): Contribution {
  const revision = contribution.revision + 1;
  const request = requestId === undefined ? {} : { requestId };
  const transition = { from: contribution.state, to, actor, at, reason, revision, ...request };
  return {
    ...contribution,
    ...changes,
    held: null,
    proposal: null,
    state: to,
    updatedAt: at,
    revision,
    history: [...contribution.history, transition],
  };
}

const words: Partial<Record<Command['kind'], string>> = {
  request_changes: 'ask for changes of',
  take_down: 'take down',
};

const forInquiries: readonly Command['kind'][] = ['request_changes', 'reopen', 'answer', 'close', 'withdraw'];

function requireAllowed({ type, state, revision, history }: Contribution, { kind }: Command): void {
  if (type === 'inquiry' && !forInquiries.includes(kind)) {
    throw new KnowledgeError(
      'invalid_state',
      'This is an inquiry: it can be answered or closed, but not published or rejected.',
    );
  }
  if (type !== 'inquiry' && (kind === 'answer' || kind === 'close')) {
    throw new KnowledgeError('invalid_state', `This is a ${type}: only an inquiry can be answered or closed.`);
  }
  if (kind === 'publish' && history.at(-1)?.actor === humanActor) {
    throw new KnowledgeError(
      'invalid_state',
      'Its human took it down, so it cannot be published again. They can send a new text.',
      {
        metadata: { state, revision: String(revision) },
      },
    );
  }
  if (allowedFrom[kind].includes(state)) return;
  const needed = allowedFrom[kind].join(' or ');
  const message = `The contribution is ${state} now (revision ${revision}); to ${words[kind] ?? kind} it, it must be ${needed}.`;
  throw new KnowledgeError('invalid_state', message, { metadata: { state, revision: String(revision) } });
}
