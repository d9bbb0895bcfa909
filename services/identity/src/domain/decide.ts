import { KnowledgeError } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import {
  type Authorization,
  type AuthorizationChange,
  type Decision,
  moved,
  purgeAfter,
  stateAt,
} from './authorization.js';
import { newMail } from './mail.js';
import { invalidCode, requireKnownCode } from './mailed-code.js';
import { type ReadSecret, sameHash } from './secret.js';
import { actors } from './transition.js';
import { userCodeHash } from './user-code.js';

/** How long a confirmed token can be fetched (gateway/PROTOCOL.md#token-exchange). */
const pickUpMs = rules.tokenExchangeHours * 3_600_000;

/** What the human sent. */
export interface HumanDecision {
  code: ReadSecret;
  decision: Decision;
  /** What was typed; empty if nothing was. */
  userCode: string;
  /** Whether it comes from the form of the page. */
  fromPage: boolean;
  /** The id of the mail to record with a confirmation. */
  mailId: string;
  /** The trace that the mail belongs to, if that is recorded. */
  traceparent?: string | undefined;
}

/** A change to make, a refusal to answer with, both (a wrong user code is counted), or none (it is so already). */
export interface DecisionOutcome {
  change?: AuthorizationChange;
  refusal?: KnowledgeError;
  /** Whether the decision ends the access that an earlier one gave. */
  ends?: boolean;
}

/** What a decision does: of the first it is the answer; later a decline ends what a confirmation gave. */
export function decide(authorization: Authorization, sent: HumanDecision, at: Date): DecisionOutcome {
  try {
    const code = requireKnownCode(authorization, sent.code);
    if (stateAt(authorization, at) !== 'pending') return decideAgain(authorization, sent.decision, at);
    if (code.goodUntil <= at) return { refusal: invalidCode(true) };
  } catch (error) {
    return { refusal: KnowledgeError.from(error) };
  }
  return sent.decision === 'decline' ? decline(authorization, at) : confirm(authorization, sent, at);
}

function decline(authorization: Authorization, at: Date): DecisionOutcome {
  const set = { decision: 'decline' as const, decidedAt: at, timerAt: null, purgeAt: purgeAfter(at) };
  return { change: moved(authorization, 'declined', { actor: actors.human, at, reason: '' }, set) };
}

function confirm(authorization: Authorization, sent: HumanDecision, at: Date): DecisionOutcome {
  const objection = checkUserCode(authorization, sent, at);
  if (objection !== undefined) return objection;
  const pickUpUntil = new Date(at.getTime() + pickUpMs);
  const set = { decision: sent.decision, decidedAt: at, pickUpUntil, timerAt: pickUpUntil };
  const act = { actor: actors.human, at, reason: '' };
  const change = moved(authorization, 'confirmed', act, { ...set, purgeAt: purgeAfter(pickUpUntil) });
  return { change: { ...change, mail: newMail(sent.mailId, 'welcome', at, sent.traceparent) } };
}

function decideAgain(authorization: Authorization, decision: Decision, at: Date): DecisionOutcome {
  const state = stateAt(authorization, at);
  const gave = state === 'confirmed' || state === 'issued' || state === 'renewed';
  if (gave) return decision === 'decline' ? { ends: true } : {};
  if (state === 'expired') return { refusal: invalidCode() };
  if (decision === 'decline') return {};
  const what = state === 'declined' ? 'The human declined this request' : 'This access has ended';
  return { refusal: new KnowledgeError('invalid_state', `${what}; it cannot be confirmed any more.`) };
}

function checkUserCode(
  authorization: Authorization,
  { userCode: typed, fromPage }: HumanDecision,
  at: Date,
): DecisionOutcome | undefined {
  const { id, userCode, userCodeHash: kept, userCodeRule, wrongUserCodes } = authorization;
  const demanded = userCodeRule === 'always' || (userCodeRule === 'page' && fromPage);
  if (typed.trim() === '') {
    if (!demanded) return undefined;
    return { refusal: wrongUserCode('Type the code that your agent shows you.', { user_code: 'missing' }) };
  }
  // A code that was sent is compared also where none is demanded.
  if (sameHash(userCodeHash(id, typed), kept ?? userCodeHash(id, userCode))) return undefined;
  const set = { wrongUserCodes: wrongUserCodes + 1 };
  const left = rules.userCodeAttempts - set.wrongUserCodes;
  if (left > 0) {
    const tries = left === 1 ? 'It can be tried once more.' : `It can be tried ${left} more times.`;
    const metadata = { user_code: 'wrong', tries_left: String(left) };
    return {
      change: { set },
      refusal: wrongUserCode(`That is not the code that your agent shows. ${tries}`, metadata),
    };
  }
  const act = { actor: actors.human, at, reason: wrongTooOften };
  const change = moved(authorization, 'expired', act, { ...set, timerAt: null, purgeAt: purgeAfter(at) });
  return { change, refusal: invalidCode() };
}

/** Why a request ended that nobody could confirm any more. */
const wrongTooOften = 'The code was typed wrong five times.';

function wrongUserCode(message: string, metadata: Record<string, string>): KnowledgeError {
  return new KnowledgeError('validation_error', `user_code: ${message}`, { metadata });
}
