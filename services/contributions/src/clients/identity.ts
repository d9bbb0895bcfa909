import { randomUUID } from 'node:crypto';
import { ConfirmedErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { unlessNotFound } from '@knowledge/runtime';
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
export function connectIdentity(options: ConnectOptions) {
  const own = { ...options, callerName: 'contributions', deadlineMs: 3000 };
  const identity = connectGrpc(IdentityServiceService, own);
  const erasures = connectGrpc(ConfirmedErasureServiceService, own);
  const grants = connectGrpc(GrantAdminServiceService, own);
  return {
    /**
     * Makes a new access key for a person, with its end. Undefined if the person has never confirmed anything.
     *
     * @throws KnowledgeError `unavailable`.
     */
    async accessKey(email: string, signal: AbortSignal) {
      const call = { requestId: randomUUID(), signal };
      const found = await identity.createAccessKey({ email }, call).catch(unlessNotFound);
      return found && { code: found.accessKey, until: found.expiresAt ?? new Date() };
    },
    /**
     * Streams the ends of authorizations after a cursor, until the signal aborts or the stream breaks.
     *
     * @throws KnowledgeError `validation_error` if the log has no such cursor, `unavailable` if the stream does not begin.
     */
    async *endedAuthorizations(afterCursor: string, signal: AbortSignal): AsyncIterable<EndedAuthorization> {
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
    /** Ends the access of an agent, in the name of who decided it. This service writes to the human. @throws KnowledgeError. */
    async endAgentAccess({ email, authorizationId, actor, reason }: Omit<EndingAgent, 'dueAt'>, signal: AbortSignal) {
      const call = { requestId: randomUUID(), actor, signal };
      await grants.endAgentAccess({ email, authorizationId, reason, told: true }, call);
    },
    /**
     * Reads an erasure that a second staff member confirmed. Its address is empty when it is done.
     *
     * @throws KnowledgeError `not_found`, `invalid_state` if it is not confirmed, `unavailable`.
     */
    confirmedErasure: (id: string, call: CallOptions) => erasures.getConfirmedErasure({ id }, call),
    /** Says that this service has erased its part. @throws KnowledgeError `unavailable`. */
    async finishErasure(id: string, call: CallOptions) {
      await erasures.finishErasure({ id }, call);
    },
    close: () => {
      for (const client of [identity, erasures, grants]) client.close();
    },
  };
}

export type Identity = ReturnType<typeof connectIdentity>;
