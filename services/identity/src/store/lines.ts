import { randomUUID } from 'node:crypto';
import type { Act } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { type Authorization, type AuthorizationChange, stateAt } from '../domain/authorization.js';
import { newMail } from '../domain/mail.js';
import { replaceGrant, revokeGrant } from '../domain/revoke.js';
import { replace, revoke, type Token, type TokenEnd } from '../domain/token.js';
import { changeUpdate, endUpdate } from './change-update.js';
import { authorizationsOf, toAuthorization, tokensOf, toToken } from './documents.js';

/** What an ending did to an authorization and those that renew it. */
export interface EndedLine {
  lineId: string;
  /** Whether an agent could act until now. */
  revoked: boolean;
  /** How many requests waited for the human. */
  declined: number;
}

/** The authorizations that renew each other, in which at most one token is valid. */
export function linesOf(db: Db) {
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);

  const endTokens = async (line: Line, decide: (token: Token) => TokenEnd | undefined, scope: TransactionScope) => {
    const ended = new Set<string>();
    const active = await tokens.find({ email: line.email, lineId: line.lineId, state: 'active' }, scope).toArray();
    for (const token of active.map(toToken)) {
      const end = decide(token);
      if (end === undefined) continue;
      await tokens.updateOne({ _id: token.hash }, endUpdate(end), scope);
      ended.add(token.id);
    }
    return ended;
  };

  const openRequests = async ({ email, lineId }: Line, scope: TransactionScope): Promise<Authorization[]> => {
    const open = { $in: ['pending' as const, 'confirmed' as const, 'issued' as const] };
    return (await authorizations.find({ email, lineId, state: open }, scope).toArray()).map(toAuthorization);
  };

  const change = async (before: Authorization, made: AuthorizationChange | undefined, scope: TransactionScope) => {
    if (made) await authorizations.updateOne({ _id: before.id }, changeUpdate(before, made), scope);
    return made !== undefined;
  };

  const endRequest = (request: Authorization, act: Act, mailed: boolean, scope: TransactionScope) => {
    const made = revokeGrant(request, act);
    const mail = mailed ? newMail(randomUUID(), 'ended', act.at) : undefined;
    return change(request, made && mail ? { ...made, mail } : made, scope);
  };

  return {
    /** Ends every token and request of a line, and mails that once; undefined if all of it had ended. */
    end: async (line: Line, act: Act, scope: TransactionScope): Promise<EndedLine | undefined> => {
      // The tokens first: they are what opens things. All of it is one transaction all the same.
      const ended = await endTokens(line, (token) => revoke(token, act), scope);
      let declined = 0;
      let mailed = false;
      let revoked = ended.size > 0;
      for (const request of await openRequests(line, scope)) {
        const state = stateAt(request, act.at);
        if (state === 'issued' && !ended.has(request.grant?.tokenId ?? '')) continue;
        const first: boolean = state !== 'pending' && !mailed;
        if (!(await endRequest(request, act, first, scope))) continue;
        mailed ||= first;
        if (state === 'pending') declined++;
        else revoked = true;
      }
      return revoked || declined > 0 ? { lineId: line.lineId, revoked, declined } : undefined;
    },
    /** Ends the tokens that the newest one of their line replaces. */
    replace: async (line: Line, act: Act, scope: TransactionScope): Promise<void> => {
      const ended = await endTokens(line, (token) => replace(token, act), scope);
      for (const request of await openRequests(line, scope)) {
        if (ended.has(request.grant?.tokenId ?? '')) await change(request, replaceGrant(request, act), scope);
      }
    },
  };
}

type Line = Pick<Authorization, 'email' | 'lineId'>;
