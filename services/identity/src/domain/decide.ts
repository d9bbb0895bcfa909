import { actors, KnowledgeError, later, newMail } from '@knowledge/runtime';
import { rules } from '@knowledge/runtime/product';
import {
  type Authorization,
  type AuthorizationChange,
  changeState,
  type Decision,
  purgeAfter,
  stateAt,
} from './authorization.js';
import { invalidCode, optionalKnownCode } from './mailed-code.js';
import { type SecretCode, sameHash, userCodeHash } from './secret.js';

/** The time for which the agent can fetch the token after the confirmation (gateway/PROTOCOL.md#token-exchange). */
const pickUpMs = rules.tokenExchangeHours * 3_600_000;

/** The human's decision with its codes, from the page or from the API. */
interface HumanDecision {
  code: SecretCode;
  decision: Decision;
  /** The user code that the human typed; empty if the human typed none. */
  userCode: string;
  /** Whether the human decided with the form on the page. */
  fromPage: boolean;
  /** The id of the mail that a confirmation causes. */
  mailId: string;
  /** The trace of the request. It is stored with the mail if the trace is recorded. */
  traceparent?: string | undefined;
}

/**
 * The result of a decision: a change to store, an error to throw, or both. A wrong user code gives both, because the
 * attempt is counted. With neither, nothing changes.
 */
interface DecisionOutcome {
  change?: AuthorizationChange;
  refusal?: KnowledgeError;
  /** Whether the decision ends the access that an earlier confirmation gave. */
  ends?: boolean;
}

/**
 * Applies the decision of the human. Only the first decision changes a pending authorization. If it was a confirmation,
 * a later decline ends the access. A decline works with a code of any age.
 */
export function decide(authorization: Authorization, sent: HumanDecision, at: Date): DecisionOutcome {
  const code = optionalKnownCode(authorization, sent.code);
  if (code === undefined) return { refusal: invalidCode() };
  if (stateAt(authorization, at) !== 'pending') return decideAgain(authorization, sent.decision, at);
  if (sent.decision === 'decline') return decline(authorization, at);
  return code.goodUntil <= at ? { refusal: invalidCode(true) } : confirm(authorization, sent, at);
}

function decline(authorization: Authorization, at: Date): DecisionOutcome {
  const set = { decision: 'decline' as const, decidedAt: at, timerAt: null, purgeAt: purgeAfter(at) };
  return { change: changeState(authorization, 'declined', { actor: actors.human, at, reason: '' }, set) };
}

function confirm(authorization: Authorization, sent: HumanDecision, at: Date): DecisionOutcome {
  const objection = checkUserCode(authorization, sent, at);
  if (objection !== undefined) return objection;
  const pickUpUntil = later(at, pickUpMs);
  const set = { decision: sent.decision, decidedAt: at, pickUpUntil, timerAt: pickUpUntil };
  const act = { actor: actors.human, at, reason: '' };
  const change = changeState(authorization, 'confirmed', act, { ...set, purgeAt: purgeAfter(pickUpUntil) });
  return { change: { ...change, mail: newMail(sent.mailId, 'welcome', at, sent.traceparent) } };
}

function decideAgain(authorization: Authorization, decision: Decision, at: Date): DecisionOutcome {
  const state = stateAt(authorization, at);
  const gave = state === 'confirmed' || state === 'issued' || state === 'renewed';
  if (gave) return decision === 'decline' ? { ends: true } : {};
  if (decision === 'decline') return {};
  if (state === 'expired') return { refusal: invalidCode() };
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
  // A typed user code must be correct, even if no user code is required.
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
  const change = changeState(authorization, 'expired', act, { ...set, timerAt: null, purgeAt: purgeAfter(at) });
  return { change, refusal: invalidCode() };
}

const wrongTooOften = `The code was typed wrong ${rules.userCodeAttempts} times.`;

function wrongUserCode(message: string, metadata: Record<string, string>) {
  return new KnowledgeError('validation_error', `user_code: ${message}`, { metadata });
}
