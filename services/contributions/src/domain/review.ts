import type { Act } from '@knowledge/runtime';
import { KnowledgeError } from '@knowledge/runtime';
import { bounds } from '@knowledge/runtime/product';
import {
  type Contribution,
  type ContributionState,
  isOf,
  type Notice,
  type Owner,
  type Publication,
  unknownContribution,
} from './contribution.js';
import { refuseFaults, textFault } from './text.js';

/** What somebody wants done with a contribution. */
export type Command =
  | { kind: 'approve'; publish: boolean }
  | { kind: 'publish' }
  | { kind: 'retract' }
  | { kind: 'reject' }
  | { kind: 'answer'; text: string }
  | { kind: 'close'; note: string }
  | { kind: 'withdraw' }
  /** By its human, who needs no reason. */
  | { kind: 'take_down' };

/** What a command makes of a contribution, and what the human is told of it. Nothing, if it is the very contribution. */
export interface Outcome {
  contribution: Contribution;
  notices: Notice[];
}

/** From where each command may be given (gateway/PROTOCOL.md#states). */
const allowedFrom: Readonly<Record<Command['kind'], readonly ContributionState[]>> = {
  approve: ['pending_review'],
  publish: ['approved', 'retracted'],
  retract: ['published'],
  take_down: ['approved', 'published'],
  reject: ['pending_review', 'approved'],
  answer: ['pending_review', 'answered'],
  close: ['pending_review'],
  withdraw: ['pending_review'],
};

/** A change that somebody asks for. */
export interface Request {
  command: Command;
  act: Act;
  /** Only of this owner, if given. */
  owner?: Owner;
  /** Refused if the contribution has another revision; 0 for do not check. */
  expectedRevision?: number;
}

/**
 * The rule of a request, for the contribution as it is when it is applied.
 *
 * @throws KnowledgeError `validation_error` for the request's own fields; the rule throws `not_found` or `invalid_state`.
 */
export function review(request: Request): (contribution: Contribution) => Outcome {
  const { command, act, owner, expectedRevision = 0 } = request;
  checkCommand(command, act.reason);
  if (expectedRevision < 0) throw new KnowledgeError('validation_error', 'expected_revision must be 0 or more.');
  return (contribution) => {
    if (owner !== undefined && !isOf(contribution, owner)) throw unknownContribution();
    if (isRepeated(contribution, command, act)) return { contribution, notices: [] };
    requireRevision(contribution, expectedRevision);
    return decide(contribution, command, act);
  };
}

/** @throws KnowledgeError `validation_error` for a reason or a text that is missing or too long. */
export function checkCommand(command: Command, reason: string): void {
  refuseFaults([textFaultOf(command, reason)]);
}

function requireRevision({ state, revision }: Contribution, expected: number): void {
  if (expected === 0 || expected === revision) return;
  const message = `The contribution has revision ${revision} now and is ${state}; you saw revision ${expected}.`;
  throw new KnowledgeError('invalid_state', message, {
    // ABORTED: a stale revision.
    grpcStatus: 10,
    metadata: { state, revision: String(revision) },
  });
}

function textFaultOf(command: Command, reason: string): string | undefined {
  switch (command.kind) {
    case 'approve':
    case 'publish':
      return textFault('reason', reason, noted);
    case 'close':
      return textFault('reason', reason, noted) ?? textFault('note', command.note, noted);
    case 'retract':
    case 'reject':
      return textFault('reason', reason, { min: 1, max: 2000 });
    case 'answer':
      return textFault('text', command.text, { min: 1, max: bounds.body.max });
    case 'withdraw':
    case 'take_down':
      return undefined;
  }
}

const noted = { min: 0, max: 2000 };

/** Whether this very request made the last change already: its answer was lost, and it comes again. */
export function isRepeated({ answer, history }: Contribution, command: Command, act: Act): boolean {
  const { actor, reason, requestId } = act;
  const last = history.at(-1);
  if (last === undefined || requestId === undefined || last.requestId !== requestId || last.actor !== actor)
    return false;
  const sameAnswer = command.kind !== 'answer' || answer === command.text;
  return last.to === resultOf(command) && last.reason === reason && sameAnswer;
}

function resultOf(command: Command): ContributionState {
  if (command.kind === 'approve') return command.publish ? 'published' : 'approved';
  return results[command.kind];
}

const results: Readonly<Record<Exclude<Command['kind'], 'approve'>, ContributionState>> = {
  publish: 'published',
  retract: 'retracted',
  reject: 'rejected',
  answer: 'answered',
  close: 'closed',
  withdraw: 'withdrawn',
  take_down: 'retracted',
};

/**
 * What a command makes of a contribution: the next state with its history, what the catalog must be told, and whom.
 *
 * @throws KnowledgeError `invalid_state`, with a message that tells the state now.
 */
export function decide(contribution: Contribution, command: Command, act: Act): Outcome {
  requireAllowed(contribution, command);
  const { at: now, reason } = act;
  switch (command.kind) {
    case 'approve': {
      const approved = move(contribution, 'approved', act, { reviewedAt: now });
      return command.publish ? published(approved, act) : { contribution: approved, notices: [] };
    }
    case 'publish':
      return published(contribution, act);
    case 'retract': {
      const retracted = move(contribution, 'retracted', act, { reason });
      return { contribution: withPublication(retracted, 'retract', reason, now), notices: ['retracted'] };
    }
    case 'reject': {
      return {
        contribution: move(contribution, 'rejected', act, { reason, reviewedAt: now }),
        notices: ['rejected'],
      };
    }
    case 'answer': {
      refuseSameAnswer(contribution, command.text);
      const answered = move(contribution, 'answered', act, { answer: command.text, reviewedAt: now });
      return { contribution: answered, notices: ['answered'] };
    }
    case 'close': {
      const changes = { reason, note: command.note, reviewedAt: now };
      return { contribution: move(contribution, 'closed', act, changes), notices: ['closed'] };
    }
    case 'withdraw':
      return { contribution: move(contribution, 'withdrawn', act), notices: [] };
    case 'take_down': {
      const retracted = move(contribution, 'retracted', act, { reason: '' });
      // What was only accepted is in no catalog.
      if (contribution.publishedAt === null) return { contribution: retracted, notices: ['retracted'] };
      return { contribution: withPublication(retracted, 'retract', takenDownReason, now), notices: ['retracted'] };
    }
  }
}

// A human gets no second mail that says the same.
function refuseSameAnswer({ state, answer, revision }: Contribution, text: string): void {
  if (state !== 'answered' || answer !== text) return;
  throw new KnowledgeError('invalid_state', 'That is the answer already; only another text corrects it.', {
    metadata: { state, revision: String(revision) },
  });
}

/** The actor of what a human does on their own page. */
export const humanActor = 'human';

/** What the catalog's log says of work that its human took down. */
const takenDownReason = 'taken down by its human';

/** Why what waits is withdrawn when its authorization ends. */
export const accessEndedReason = 'access ended';

/** Sets what the catalog must be told, as of the contribution's revision. */
export function withPublication(
  contribution: Contribution,
  action: Publication['action'],
  reason: string,
  now: Date,
): Contribution {
  const publication: Publication = { action, revision: contribution.revision, reason, attempts: 0, dueAt: now };
  return { ...contribution, publication };
}

function published(contribution: Contribution, act: Act): Outcome {
  const publishedAt = contribution.publishedAt ?? act.at;
  const moved = move(contribution, 'published', act, { publishedAt, reason: '' });
  return { contribution: withPublication(moved, 'publish', '', act.at), notices: ['published'] };
}

function move(
  contribution: Contribution,
  to: ContributionState,
  { actor, at, reason, requestId }: Act,
  changes: Partial<Contribution> = {},
): Contribution {
  const revision = contribution.revision + 1;
  const request = requestId === undefined ? {} : { requestId };
  const transition = { from: contribution.state, to, actor, at, reason, revision, ...request };
  return {
    ...contribution,
    ...changes,
    state: to,
    updatedAt: at,
    revision,
    history: [...contribution.history, transition],
  };
}

function requireAllowed({ type, state, revision, history }: Contribution, { kind }: Command): void {
  if (type === 'inquiry' && !['answer', 'close', 'withdraw'].includes(kind)) {
    throw new KnowledgeError(
      'invalid_state',
      'This is an inquiry: it is answered or closed, never published or rejected.',
    );
  }
  if (type !== 'inquiry' && (kind === 'answer' || kind === 'close')) {
    throw new KnowledgeError('invalid_state', `This is a ${type}: only an inquiry is answered or closed.`);
  }
  if (kind === 'publish' && history.at(-1)?.actor === humanActor) {
    throw new KnowledgeError(
      'invalid_state',
      'Its human took it down, so that only a new text of theirs can be published.',
      {
        metadata: { state, revision: String(revision) },
      },
    );
  }
  if (allowedFrom[kind].includes(state)) return;
  const needed = allowedFrom[kind].join(' or ');
  const message = `The contribution is ${state} now (revision ${revision}); to ${kind.replace('_', ' ')} it, it must be ${needed}.`;
  throw new KnowledgeError('invalid_state', message, { metadata: { state, revision: String(revision) } });
}
