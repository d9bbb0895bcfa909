import { randomUUID } from 'node:crypto';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc, fromServiceError } from '@knowledge/runtime/grpc';
import type { AuthorizationEnd } from '../domain/authorization-end.js';

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
   * Makes a new access key for a person. Undefined if the person has never confirmed anything.
   *
   * @throws KnowledgeError `unavailable`.
   */
  accessKey(email: string, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Streams the ends of authorizations after a cursor, until the signal aborts or the stream breaks.
   *
   * @throws KnowledgeError `validation_error` if the log has no such cursor, `unavailable` if the stream breaks.
   */
  endedAuthorizations(afterCursor: string, signal: AbortSignal): AsyncIterable<EndedAuthorization>;
}

export function connectIdentity(options: ConnectOptions): Identity & { close(): void } {
  const identity = connectGrpc(IdentityServiceService, { ...options, callerName: 'contributions', deadlineMs: 3000 });
  return {
    async accessKey(email, signal) {
      try {
        return (await identity.createAccessKey({ email }, { requestId: randomUUID(), signal })).accessKey;
      } catch (error) {
        if (hasCode(error, 'not_found')) return undefined;
        throw error;
      }
    },
    async *endedAuthorizations(afterCursor, signal) {
      const stream = identity.watchEndedAuthorizations({ afterCursor }, { requestId: randomUUID(), signal });
      try {
        for await (const event of stream) {
          const { cursor, authorizationId, endedAt = new Date(), actor, withdrawWaiting } = event;
          yield { cursor, authorizationId, end: { at: endedAt, by: actor }, withdrawWaiting };
        }
      } catch (error) {
        throw signal.aborted ? error : fromServiceError(error);
      }
    },
    close: () => identity.close(),
  };
}
