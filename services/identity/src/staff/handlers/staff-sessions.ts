import type { StaffSessionServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import { type CallContext, KnowledgeError } from '@knowledge/runtime';
import type { Handlers } from '@knowledge/runtime/grpc';
import { newSession, requireHash, requireStaffFacts, type StaffFacts } from '../domain/session.js';
import type { StaffStores } from '../store/open-stores.js';
import { requireRole, toWireSession } from './wire.js';

/** The calls of the web desk. It names the staff member; identity keeps the session. */
export function staffSessionHandlers({ sessions, codes, members }: StaffStores): Handlers<StaffSessionServiceService> {
  const start = async (facts: StaffFacts, secretHash: string, reason: string, call: CallContext) => {
    await members.put(facts, call);
    return toWireSession(await sessions.insert(secretHash, newSession(facts, call.now, reason), call));
  };

  return {
    async startSession({ secretHash, ...request }, call) {
      const facts = requireStaffFacts({ ...request, roles: request.roles.map(requireRole) });
      return { session: await start(facts, requireHash('secret_hash', secretHash), '', call) };
    },

    async redeemSignInCode(request, call) {
      const secretHash = requireHash('secret_hash', request.secretHash);
      const code = await codes.use(requireHash('code_hash', request.codeHash), secretHash, call);
      if (code === undefined) {
        throw new KnowledgeError('not_found', 'The sign-in link was used, or is older than ten minutes.');
      }
      const facts = { name: code.name, displayName: '', email: '', roles: code.roles };
      return { session: await start(facts, secretHash, `by a sign-in code of ${code.madeBy}`, call) };
    },

    async getSession({ secretHash, alsoOver }, call) {
      const hash = requireHash('secret_hash', secretHash);
      const session = await (alsoOver ? sessions.find(hash, call) : sessions.use(hash, call));
      if (session === undefined) throw new KnowledgeError('not_found', 'There is no such session.');
      return { session: toWireSession(session) };
    },

    async signOut({ secretHash }, call) {
      await sessions.signOut(requireHash('secret_hash', secretHash), call);
      return {};
    },
  };
}
