import { KnowledgeError } from '@knowledge/runtime';
import {
  type Authorization,
  type AuthorizationChange,
  type Decision,
  moved,
  purgeAfter,
  stateAt,
} from './authorization.js';
import { newMail } from './mail.js';
import { invalidCode, requireLiveCode } from './mailed-code.js';
import { type ReadSecret, sameHash } from './secret.js';
import { actors } from './transition.js';
import { userCodeHash } from './user-code.js';

/** A confirmed token can be fetched for 24 hours (protocol 5.4). */
const pickUpMs = 24 * 3_600_000;

const mostWrongUserCodes = 5;

/** What the human sent. */
export interface HumanDecision {
  code: ReadSecret;
  decision: Decision;
  /** What was typed; empty if nothing was. */
  userCode: string;
  /** The id of the mail to record with a confirmation. */
  mailId: string;
  /** The trace that the mail belongs to, if that is recorded. */
  traceparent?: string | undefined;
}

/** A change to make, a refusal to answer with, both (a wrong user code is counted), or neither (decided so before). */
export interface DecisionOutcome {
  change?: AuthorizationChange;
  refusal?: KnowledgeError;
}

/** What a decision does: the first one wins, the same one again shows the result (protocol 5.3). */
export function decide(authorization: Authorization, sent: HumanDecision, at: Date): DecisionOutcome {
  try {
    requireLiveCode(authorization, sent.code, at);
  } catch (error) {
    return { refusal: KnowledgeError.from(error) };
  }
  if (stateAt(authorization, at) !== 'pending') {
    return authorization.decision === sent.decision ? {} : { refusal: invalidCode() };
  }
  const act = { actor: actors.human, at, reason: '' };
  if (sent.decision === 'decline') {
    const set = { decision: sent.decision, decidedAt: at, timerAt: null, purgeAt: purgeAfter(at) };
    return { change: moved(authorization, 'declined', act, set) };
  }
  const objection = checkUserCode(authorization, sent.userCode, at);
  if (objection !== undefined) return objection;
  const pickUpUntil = new Date(at.getTime() + pickUpMs);
  const set = { decision: sent.decision, decidedAt: at, pickUpUntil, timerAt: pickUpUntil };
  const change = moved(authorization, 'confirmed', act, { ...set, purgeAt: purgeAfter(pickUpUntil) });
  return { change: { ...change, mail: newMail(sent.mailId, 'welcome', at, sent.traceparent) } };
}

function checkUserCode(authorization: Authorization, typed: string, at: Date): DecisionOutcome | undefined {
  const { id, userCodeHash: expected, wrongUserCodes } = authorization;
  if (expected === null) return undefined;
  if (typed.trim() === '') return { refusal: wrongUserCode('Type the code that your agent shows you.') };
  if (sameHash(userCodeHash(id, typed), expected)) return undefined;
  const set = { wrongUserCodes: wrongUserCodes + 1 };
  if (set.wrongUserCodes < mostWrongUserCodes) {
    const left = mostWrongUserCodes - set.wrongUserCodes;
    const tries = left === 1 ? 'one more try' : `${left} more tries`;
    return { change: { set }, refusal: wrongUserCode(`This is not the code that your agent shows; ${tries}.`) };
  }
  const act = { actor: actors.human, at, reason: 'The user code was typed wrong five times.' };
  const change = moved(authorization, 'expired', act, { ...set, timerAt: null, purgeAt: purgeAfter(at) });
  return { change, refusal: invalidCode() };
}

function wrongUserCode(message: string): KnowledgeError {
  return new KnowledgeError('validation_error', `user_code: ${message}`);
}
