import { randomUUID } from 'node:crypto';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc } from '@knowledge/runtime/grpc';
import type { AuthorizationEnd } from '../domain/authorization-end.js';

/** An authorization that ended, as the identity service reports it. */
export interface EndedAuthorization {
  /** The cursor after this entry of the log. */
  cursor: string;
  authorizationId: string;
  end: AuthorizationEnd;
  withdrawWaiting: boolean;
}

/** The identity service as this service uses it. */
export interface Identity {
  /**
   * Makes a new access key for a person. Undefined if the person never confirmed anything.
   *
   * @throws KnowledgeError `unavailable`.
   */
  accessKey(email: string, signal: AbortSignal): Promise<string | undefined>;
  /** Streams the ends of authorizations after a cursor, until the signal aborts or the stream breaks. */
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
      for await (const event of stream) {
        const { cursor, authorizationId, endedAt = new Date(), actor, withdrawWaiting } = event;
        yield { cursor, authorizationId, end: { at: endedAt, by: actor }, withdrawWaiting };
      }
    },
    close: () => identity.close(),
  };
}
