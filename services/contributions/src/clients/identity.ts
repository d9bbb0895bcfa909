import { randomUUID } from 'node:crypto';
import { IdentityServiceService } from '@knowledge/proto/knowledge/identity/v1/identity';
import { hasCode } from '@knowledge/runtime';
import { type ConnectOptions, connectGrpc } from '@knowledge/runtime/grpc';
import type { AuthorizationEnd } from '../domain/authorization-end.js';

/** An authorization that ended, as the identity service tells it. */
export interface EndedAuthorization {
  /** Where the log goes on after it. */
  cursor: string;
  authorizationId: string;
  end: AuthorizationEnd;
  withdrawWaiting: boolean;
}

/** What contributions asks of the identity service. */
export interface Identity {
  /**
   * A new key for a person's own page; undefined for somebody who never confirmed anything.
   *
   * @throws KnowledgeError `unavailable`.
   */
  accessKey(email: string, signal: AbortSignal): Promise<string | undefined>;
  /** The ends of authorizations after a cursor, as they come, until the signal aborts or the stream breaks. */
  endedAuthorizations(afterCursor: string, signal: AbortSignal): AsyncIterable<EndedAuthorization>;
}

/** The identity service. */
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
