import { randomUUID } from 'node:crypto';
import { ConfirmedErasureServiceService } from '@knowledge/proto/knowledge/identity/v1/erasures';
import { createLogger, KnowledgeError } from '@knowledge/runtime';
import { implement, serveGrpc } from '@knowledge/runtime/grpc';

/** Serves erasures that two staff members confirmed, as the identity service does. */
export async function serveErasures() {
  const confirmed = new Map<string, string>();
  const handlers = implement(ConfirmedErasureServiceService, {
    async getConfirmedErasure({ id }) {
      const email = confirmed.get(id);
      if (email === undefined) throw new KnowledgeError('not_found', 'There is no erasure with this id.');
      return { email, withWork: false, reason: 'asked for by letter' };
    },
    async finishErasure({ id }) {
      confirmed.set(id, '');
      return {};
    },
  });
  const log = createLogger({ name: 'test', level: 'silent' });
  const server = await serveGrpc({ address: '127.0.0.1:0', services: [handlers], health: [], log });
  return {
    /** The variables with which a service finds it. */
    env: { IDENTITY_ADDRESS: server.address },
    /** Confirms the erasure of a person. Returns the request for `EraseContributor`. */
    confirm(email: string) {
      const erasureId = randomUUID();
      confirmed.set(erasureId, email);
      return { erasureId, email, withWork: false };
    },
    close: () => server.close(),
  };
}
