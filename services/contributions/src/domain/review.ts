import {
  type Attribution,
  actors,
  formatUtcTime,
  KnowledgeError,
  refuse,
  refuseFaults,
  textFault,
} from '@knowledge/runtime';
import {
  bounds,
  type ContributionState,
  type DecisionName,
  decisionNames,
  decisions,
  type InputName,
  inputNames,
  kinds,
} from '@knowledge/runtime/product';
import {
  type Command,
  type Contribution,
  commandWords,
  type DecidedGroup,
  invalidState,
  isDecision,
  isOf,
  isSameRequest,
  type Notice,
  type Owner,
  type Publication,
  seenBy,
  staleRevision,
  stateChanges,
  unknownContribution,
} from './contribution.js';
import { holdDecision, isRepeatOfHeld, maxHoldSeconds, requireNotHeld, shownRevision, withEntry } from './hold.js';

/**
 * The changed contribution and the mails to send. For a repeated request it has the unchanged contribution and no
 * mails.
 */
export interface Outcome {
  contribution: Contribution;
  notices: Notice[];
}

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
  holdSeconds?: number | undefined;
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
  if (expectedRevision < 0) refuse('expected_revision must be 0 or more');
  if (holdSeconds < 0 || holdSeconds > maxHoldSeconds) {
    refuse(`hold_seconds must be 0 to ${maxHoldSeconds}`);
  }
  if (holdSeconds > 0 && !(isDecision(command) && decisions[command.kind].isHeld)) {
    refuse('hold_seconds must be 0, since this takes effect at once');
  }
  return (contribution) => {
    if (owner !== undefined && !isOf(contribution, owner)) throw unknownContribution();
    const repeated = [isRepeatOfLastChange, isRepeatOfHeld, isWithdrawnBy].some((is) => is(contribution, command, act));
    if (repeated) return { contribution, notices: [] };
    requireOneOf(ifRevisions, contribution);
    requireNotHeld(contribution, command);
    if (isDecision(command)) requireSeen(contribution, act.actor, expectedRevision);
    const outcome = decide(contribution, command, act);
    return holdSeconds > 0 && isDecision(command)
      ? { contribution: holdDecision(contribution, command, act, holdSeconds, group), notices: [] }
      : outcome;
  };
}

/** @throws KnowledgeError `validation_error` if a reason, text or note is missing, too long, or does not belong to it. */
export function checkCommand(command: Command, reason: string): void {
  if (!isDecision(command)) return;
  refuseFaults(inputNames.map((name) => inputFault(command.kind, name, { ...command, reason }[name] ?? '')));
}

function inputFault(kind: DecisionName, name: InputName, text: string) {
  const input = decisions[kind].inputs.find((each) => each.name === name);
  if (input !== undefined) return textFault(name, text, { min: input.isNeeded ? 1 : 0, max: input.max });
  if (name === 'reason') return textFault(name, text, bounds.reason);
  return text === '' ? undefined : `${name} is not a field of this decision`;
}

/**
 * A decision is about a text, not about an id.
 *
 * @throws KnowledgeError `invalid_state` if the contribution has another revision. With 0: if agent or human changed the
 * text since the moderator last opened it.
 */
export function requireSeen(contribution: Contribution, actor: string, expected: number): void {
  requireRevision(contribution, expected);
  const { textChanges } = contribution;
  const unseen = textChanges.findLast(({ by }) => by !== 'moderator');
  if (expected !== 0 || unseen === undefined || unseen.revision <= seenBy(contribution, actor)) return;
  const when = formatUtcTime(unseen.at);
  const message = `Its ${unseen.by} changed the text (revision ${unseen.revision}, ${when}), and you have not opened it since. Nothing was changed. Read it with "knowledge review show", or name the revision that you decide about.`;
  throw staleRevision(contribution, message);
}

/** @throws KnowledgeError `invalid_state` if the contribution has another revision; 0 skips the check. */
export function requireRevision(contribution: Contribution, expected: number): void {
  const { state, revision } = contribution;
  if (expected === 0 || expected === revision) return;
  const message = `The contribution has revision ${revision} now and is ${state}; you saw revision ${expected}.`;
  throw staleRevision(contribution, message);
}

/** @throws KnowledgeError `precondition_failed` if the contribution has none of these revisions; empty for any. */
export function requireOneOf(revisions: readonly number[], contribution: Contribution): void {
  const { state } = contribution;
  const revision = shownRevision(contribution);
  if (revisions.length === 0 || revisions.includes(revision)) return;
  const message = `The contribution is ${state} now and has the ETag "${revision}", which If-Match does not name. Nothing was changed; read it again first.`;
  throw new KnowledgeError('precondition_failed', message, { metadata: { state, revision: String(revision) } });
}

/** Whether the last change has the same request. Callers repeat a request when they lose the response. */
export function isRepeatOfLastChange({ answer, history }: Contribution, command: Command, act: Attribution): boolean {
  const last = history.at(-1);
  const sameAnswer = command.kind !== 'answer' || answer === command.text;
  const sameChange = last?.to === stateChanges[command.kind].to && last.reason === act.reason;
  return isSameRequest(last, act) && sameChange && sameAnswer;
}

// Nothing comes after a withdrawal, so a later request of the same actor has what it wants too.
function isWithdrawnBy({ state, history }: Contribution, { kind }: Command, { actor }: Attribution) {
  if (kind !== 'withdraw' || state !== 'withdrawn') return false;
  return history.findLast(({ to }) => to === state)?.actor === actor;
}

/**
 * Applies a command to a contribution: the new state with its transition, the change for the catalog, and the mails.
 *
 * @throws KnowledgeError `invalid_state`, with a message that names the current state.
 */
export function decide(contribution: Contribution, command: Command, act: Attribution): Outcome {
  requireAllowed(contribution, command);
  const { to, notice, catalog } = stateChanges[command.kind];
  const notices = notice === undefined ? [] : [notice];
  const isTwoSteps = command.kind === 'approve_and_publish';
  const before = isTwoSteps ? decide(contribution, { kind: 'approve' }, act).contribution : contribution;
  const decided = changeState(before, to, act, fieldsOf(before, command, act));
  const isByHuman = command.kind === 'take_down';
  // A contribution that was never published is not in the catalog, so the catalog needs no change.
  if (catalog === undefined || (isByHuman && before.publishedAt === null)) return { contribution: decided, notices };
  // Nobody erases the log of content, and the reason of a moderator may name the person.
  const reasons = { publish: '', retract: isByHuman ? 'taken down by its human' : 'retracted by a moderator' };
  return { contribution: withPublication(decided, catalog, reasons[catalog], act.at), notices };
}

/** What a command changes beside the state. */
function fieldsOf(
  contribution: Contribution,
  { kind, text = '', note = '' }: Command,
  { at, reason }: Attribution,
): Partial<Contribution> {
  switch (kind) {
    case 'approve':
      return { reviewedAt: at };
    case 'approve_and_publish':
    case 'publish':
      return { publishedAt: contribution.publishedAt ?? at, reason: '' };
    case 'retract':
      return { reason };
    case 'request_changes':
    case 'reject':
      return { reason, reviewedAt: at };
    case 'reopen':
    case 'take_down':
      return { reason: '' };
    case 'answer':
      refuseSameAnswer(contribution, text);
      return { answer: text, reviewedAt: at };
    case 'close':
      return { reason, note, reviewedAt: at };
    case 'withdraw':
      return {};
  }
}

// Refuses an unchanged answer, so that the human does not get the same answer twice.
function refuseSameAnswer(contribution: Contribution, text: string) {
  const { state, answer } = contribution;
  if (state !== 'answered' || answer !== text) return;
  throw invalidState(contribution, 'The inquiry has exactly this answer already; a correction needs another text.');
}

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

/** Adds a transition to the history. `changes` are the other fields that change with it. */
export function changeState(
  contribution: Contribution,
  to: ContributionState,
  act: Attribution,
  changes: Partial<Contribution> = {},
): Contribution {
  const entered = withEntry(contribution, to, act);
  return { ...entered, ...changes, held: null, proposal: null, state: to, updatedAt: act.at };
}

/** The decisions that are possible now; none while one is held. */
export function allowedDecisions(contribution: Contribution): DecisionName[] {
  if (contribution.held !== null) return [];
  return decisionNames.filter((kind) => refusalOf(contribution, { kind }) === undefined);
}

function requireAllowed(contribution: Contribution, command: Command) {
  const message = refusalOf(contribution, command);
  if (message !== undefined) throw invalidState(contribution, message);
}

/** Why a contribution cannot change so, with its state; undefined if it can. */
function refusalOf({ type, state, revision, history }: Contribution, command: Command) {
  const { kind } = command;
  const { from, isPublic } = stateChanges[kind];
  if (isPublic !== undefined && isPublic !== kinds[type].isPublic) {
    return isPublic
      ? `This is an ${type}: it can be answered or closed, but not published or rejected.`
      : `This is a ${type}: only an inquiry can be answered or closed.`;
  }
  if (kind === 'publish' && history.at(-1)?.actor === actors.human) {
    return 'Its human took it down, so it cannot be published again. They can send a new text.';
  }
  if (from.includes(state)) return undefined;
  const verb = (isDecision(command) && decisions[command.kind].verb) || commandWords(command);
  return `The contribution is ${state} now (revision ${revision}); to ${verb} it, it must be ${from.join(' or ')}.`;
}
