import { randomUUID } from 'node:crypto';
import type { Attribution } from '@knowledge/runtime';
import type { TransactionScope } from '@knowledge/runtime/mongodb';
import type { Db } from 'mongodb';
import { type Authorization, type AuthorizationChange, stateAt } from '../domain/authorization.js';
import { newMail } from '../domain/mail.js';
import { replaceGrant, revokeGrant } from '../domain/revoke.js';
import { replaceToken, revokeToken, type Token, type TokenEnd } from '../domain/token.js';
import { changeUpdate, endUpdate } from './change-update.js';
import { authorizationsOf, toAuthorization, tokensOf, toToken } from './documents.js';

/** The result of ending a renewal chain. */
export interface EndedChain {
  rootAuthorizationId: string;
  /** Whether an agent had access before. */
  revoked: boolean;
  /** The number of pending authorizations that ended. */
  declined: number;
}

/** Ends the authorizations of a renewal chain. At most one of their tokens is valid. */
export function renewalChainsOf(db: Db) {
  const authorizations = authorizationsOf(db);
  const tokens = tokensOf(db);

  const endTokens = async (
    chain: RenewalChain,
    decide: (token: Token) => TokenEnd | undefined,
    scope: TransactionScope,
  ) => {
    const ended = new Set<string>();
    const active = await tokens
      .find({ email: chain.email, rootAuthorizationId: chain.rootAuthorizationId, state: 'active' }, scope)
      .toArray();
    for (const token of active.map(toToken)) {
      const end = decide(token);
      if (end === undefined) continue;
      await tokens.updateOne({ _id: token.hash }, endUpdate(end), scope);
      ended.add(token.id);
    }
    return ended;
  };

  const openRequests = async (
    { email, rootAuthorizationId }: RenewalChain,
    scope: TransactionScope,
  ): Promise<Authorization[]> => {
    const open = { $in: ['pending' as const, 'confirmed' as const, 'issued' as const] };
    return (await authorizations.find({ email, rootAuthorizationId, state: open }, scope).toArray()).map(
      toAuthorization,
    );
  };

  const change = async (before: Authorization, made: AuthorizationChange | undefined, scope: TransactionScope) => {
    if (made) await authorizations.updateOne({ _id: before.id }, changeUpdate(before, made), scope);
    return made !== undefined;
  };

  const endRequest = (request: Authorization, act: Attribution, mailed: boolean, scope: TransactionScope) => {
    const made = revokeGrant(request, act);
    const mail = mailed ? newMail(randomUUID(), 'ended', act.at) : undefined;
    return change(request, made && mail ? { ...made, mail } : made, scope);
  };

  return {
    /**
     * Ends all tokens and authorizations of a renewal chain and stores one mail, unless another service writes to its human.
     * Undefined if all have already ended.
     */
    end: async (
      chain: RenewalChain,
      act: Attribution,
      scope: TransactionScope,
      told = false,
    ): Promise<EndedChain | undefined> => {
      // The tokens are changed before the authorizations, in the same transaction.
      const ended = await endTokens(chain, (token) => revokeToken(token, act), scope);
      let declined = 0;
      let mailed = told;
      let revoked = ended.size > 0;
      for (const request of await openRequests(chain, scope)) {
        const state = stateAt(request, act.at);
        if (state === 'issued' && !ended.has(request.grant?.tokenId ?? '')) continue;
        const first: boolean = state !== 'pending' && !mailed;
        if (!(await endRequest(request, act, first, scope))) continue;
        mailed ||= first;
        if (state === 'pending') declined++;
        else revoked = true;
      }
      return revoked || declined > 0
        ? { rootAuthorizationId: chain.rootAuthorizationId, revoked, declined }
        : undefined;
    },
    /** Ends the older tokens of the chain, which the newest token replaces. */
    replace: async (chain: RenewalChain, act: Attribution, scope: TransactionScope): Promise<void> => {
      const ended = await endTokens(chain, (token) => replaceToken(token, act), scope);
      for (const request of await openRequests(chain, scope)) {
        if (ended.has(request.grant?.tokenId ?? '')) await change(request, replaceGrant(request, act), scope);
      }
    },
  };
}

type RenewalChain = Pick<Authorization, 'email' | 'rootAuthorizationId'>;
