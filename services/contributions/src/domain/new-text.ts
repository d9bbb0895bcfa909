import { createHash } from 'node:crypto';
import { type Attribution, actors, contributorActor, later, refuseFaults } from '@knowledge/runtime';
import { rules, withdrawalReasons } from '@knowledge/runtime/product';
import { type Contribution, invalidState, isOf, unknownContribution } from './contribution.js';
import { replaceText } from './edit.js';
import { changeState, type Outcome, requireOneOf } from './review.js';
import { type SentText, sentText, textFaults } from './sent-fields.js';
import { checkScope, type RequestOfAgent, requestFaults } from './submission.js';
import { keyConflict, keyLivesMs } from './submit.js';

/** A request of an agent to replace the text of a contribution for which a moderator asked for changes. */
export type NewText = SentText &
  RequestOfAgent & {
    /** Other revisions than these are refused; empty for any. */
    ifRevisions?: readonly number[];
  };

/** The contribution with the new text. `replayed` says that an earlier request changed it. */
export interface NewTextOutcome extends Outcome {
  replayed: boolean;
}

/**
 * Makes the rule that replaces a text (gateway/PROTOCOL.md#new-texts). `language` is the language of the new text.
 *
 * @throws KnowledgeError The rule throws `not_found`, `validation_error`, `insufficient_scope`, `idempotency_conflict` or
 * `invalid_state`.
 */
export function sendNewText(
  request: NewText,
  language: string,
  { now, requestId }: { now: Date; requestId: string },
  operatorName = '',
): (contribution: Contribution) => NewTextOutcome {
  const { contributor } = request;
  const act = { actor: contributorActor(contributor.tokenId), at: now, reason: '', requestId };
  return (contribution) => {
    if (!isOf(contribution, contributor)) throw unknownContribution();
    const { type } = contribution;
    refuseFaults([...requestFaults(request), ...textFaults(type, request, contributor.email, operatorName)]);
    checkScope({ type, contributor });
    const earlier = earlierRequest(contribution, request, now);
    if (earlier !== undefined) {
      // A repeat of the same gRPC call is not a replay for the agent, which sent it once.
      const transition = contribution.history.find(({ revision }) => revision === earlier.revision);
      return { contribution, notices: [], replayed: transition?.requestId !== requestId };
    }
    requireOneOf(request.ifRevisions ?? [], contribution);
    requireAsked(contribution);
    const { payloadHash, idempotencyKey } = request;
    const sent = { payloadHash, ...(idempotencyKey !== undefined && { keyHash: hash(idempotencyKey) }) };
    const changes = replaceText(contribution, sentText(request, language), {
      at: now,
      by: 'agent',
      reason: '',
      ...sent,
    });
    const changed = changeState(contribution, 'pending_review', act, { ...changes, reason: '' });
    return { contribution: changed, notices: [], replayed: false };
  };
}

/** Finds the change that this request made before. Its text must still be the current one, unless the key is the same. */
function earlierRequest({ state, textChanges }: Contribution, { idempotencyKey, payloadHash }: NewText, now: Date) {
  if (idempotencyKey !== undefined) {
    const keyHash = hash(idempotencyKey);
    const since = now.getTime() - keyLivesMs;
    const used = textChanges.findLast((each) => each.keyHash === keyHash && each.at.getTime() > since);
    if (used !== undefined && used.payloadHash !== payloadHash) throw keyConflict('text');
    if (used !== undefined) return used;
  }
  const last = textChanges.at(-1);
  return state !== 'changes_requested' && last?.payloadHash === payloadHash ? last : undefined;
}

function requireAsked(contribution: Contribution) {
  const { state, textChanges } = contribution;
  if (state !== 'changes_requested') {
    const message = `The contribution is ${state} now; a new text is accepted only after a moderator asked for changes.`;
    throw invalidState(contribution, message);
  }
  const most = rules.newTextsPerContribution;
  if (textChanges.filter(({ by }) => by === 'agent').length < most) return;
  const message = `All ${most} new texts of this contribution are used; withdraw it and send another contribution.`;
  throw invalidState(contribution, message);
}

/** Until when a new text is accepted; undefined unless a moderator asked for changes. */
export function changesDueAt({ state, updatedAt }: Pick<Contribution, 'state' | 'updatedAt'>): Date | undefined {
  return state === 'changes_requested' ? later(updatedAt, changesMs) : undefined;
}

/** The time for which a contribution waits for a new text. */
export const changesMs = rules.changesDays * 86_400_000;

/** Withdraws a contribution whose agent sent no new text in time. Any other contribution stays as it is. */
export function endWithoutNewText(contribution: Contribution, now: Date): Outcome {
  const due = changesDueAt(contribution);
  if (due === undefined || due > now) return { contribution, notices: [] };
  const act: Attribution = { actor: actors.system, at: now, reason: withdrawalReasons.noNewText };
  return { contribution: changeState(contribution, 'withdrawn', act), notices: [] };
}

function hash(key: string) {
  return createHash('sha256').update(key).digest('hex');
}
