import { randomUUID } from 'node:crypto';
import { ConfirmedErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode } from '@knowledge/runtime';
import { type CallOptions, type ConnectOptions, connectGrpc, fromServiceError } from '@knowledge/runtime/grpc';
import type { AuthorizationEnd, EndingAgent } from '../domain/contribution.js';

/** The end of an authorization, from the log of the identity service. */
export interface EndedAuthorization {
  /** The cursor after this log entry. */
  cursor: string;
  authorizationId: string;
  end: AuthorizationEnd;
  withdrawWaiting: boolean;
}

/** The methods of the identity service that this service calls. */
export interface Identity {
  /**
   * Makes a new access key for a person, with its end. Undefined if the person has never confirmed anything.
   *
   * @throws KnowledgeError `unavailable`.
   */
  accessKey(email: string, signal: AbortSignal): Promise<{ code: string; until: Date } | undefined>;
  /**
   * Streams the ends of authorizations after a cursor, until the signal aborts or the stream breaks.
   *
   * @throws KnowledgeError `validation_error` if the log has no such cursor, `unavailable` if the stream does not begin.
   */
  endedAuthorizations(afterCursor: string, signal: AbortSignal): AsyncIterable<EndedAuthorization>;
  /**
   * Reads an erasure that a second staff member confirmed. Its address is empty when it is done.
   *
   * @throws KnowledgeError `not_found`, `invalid_state` if it is not confirmed, `unavailable`.
   */
  confirmedErasure(id: string, call: CallOptions): Promise<ConfirmedErasure>;
  /** Ends the access of an agent, in the name of who decided it. This service writes to the human. @throws KnowledgeError. */
  endAgentAccess(ending: Omit<EndingAgent, 'dueAt'>, signal: AbortSignal): Promise<void>;
  /** Says that this service has erased its part. @throws KnowledgeError `unavailable`. */
  finishErasure(id: string, call: CallOptions): Promise<void>;
}

/** What identity knows about a confirmed erasure. */
export interface ConfirmedErasure {
  readonly email: string;
  readonly withWork: boolean;
  readonly reason: string;
}

export function connectIdentity(options: ConnectOptions): Identity & { close(): void } {
  const own = { ...options, callerName: 'contributions', deadlineMs: 3000 };
  const identity = connectGrpc(IdentityServiceService, own);
  const erasures = connectGrpc(ConfirmedErasureServiceService, own);
  const grants = connectGrpc(GrantAdminServiceService, own);
  return {
    async accessKey(email, signal) {
      try {
        const call = { requestId: randomUUID(), signal };
        const { accessKey: code, expiresAt: until = new Date() } = await identity.createAccessKey({ email }, call);
        return { code, until };
      } catch (error) {
        if (hasCode(error, 'not_found')) return undefined;
        throw error;
      }
    },
    async *endedAuthorizations(afterCursor, signal) {
      const stream = identity.watchEndedAuthorizations({ afterCursor }, { requestId: randomUUID(), signal });
      let hasBegun = false;
      stream.once('metadata', () => {
        hasBegun = true;
      });
      try {
        for await (const event of stream) {
          const { cursor, authorizationId, endedAt = new Date(), actor, withdrawWaiting } = event;
          yield { cursor, authorizationId, end: { at: endedAt, by: actor }, withdrawWaiting };
        }
      } catch (error) {
        if (signal.aborted) throw error;
        const failure = fromServiceError(error);
        // The age limit of connections breaks streams, as planned. In an outage the next stream does not begin.
        if (!hasBegun || failure.code !== 'unavailable') throw failure;
      }
    },
    async endAgentAccess({ email, authorizationId, actor, reason }, signal) {
      const call = { requestId: randomUUID(), actor, signal };
      await grants.endAgentAccess({ email, authorizationId, reason, told: true }, call);
    },
    confirmedErasure: (id, call) => erasures.getConfirmedErasure({ id }, call),
    async finishErasure(id, call) {
      await erasures.finishErasure({ id }, call);
    },
    close: () => {
      identity.close();
      erasures.close();
      grants.close();
    },
  };
}
