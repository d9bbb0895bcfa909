import type { StaffServiceService } from '@knowledge/proto/knowledge/identity/v1/staff';
import {
  decodePageToken,
  encodePageToken,
  KnowledgeError,
  pageToken,
  readPageQuery,
  readPageSize,
} from '@knowledge/runtime';
import { type Handlers, requireActor, requireAttribution } from '@knowledge/runtime/grpc';
import { isId } from '../../domain/id.js';
import { requireReason } from '../../domain/text.js';
import { codeMs, requireHash, requireStaffFacts } from '../domain/session.js';
import type { StaffStores } from '../store/open-stores.js';
import { requireRole, toWireMember, toWireSession } from './wire.js';

/** The calls of administrators and operators. */
export function staffHandlers({ sessions, codes, members }: StaffStores): Handlers<StaffServiceService> {
  return {
    async listSessions(request, call) {
      const { items, next } = await sessions.list({ open: request.open }, readPageQuery(request), call);
      return { sessions: items.map(toWireSession), nextPageToken: pageToken(next) };
    },

    async endSession({ id, reason }, call) {
      const act = requireAttribution(call, requireReason(reason));
      const session = isId(id) ? await sessions.end(id, act, call) : undefined;
      if (session === undefined) throw new KnowledgeError('not_found', 'There is no session with this id.');
      return { session: toWireSession(session) };
    },

    async listStaff(request, call) {
      const size = readPageSize(request.pageSize);
      const [after = ''] = decodePageToken(request.pageToken, [], ['string']) ?? [];
      const found = await members.list(after, size + 1, call);
      const shown = found.slice(0, size);
      const last = shown.at(-1);
      const nextPageToken = found.length > size && last !== undefined ? encodePageToken([], [last.name]) : '';
      return { members: shown.map(toWireMember), nextPageToken };
    },

    async createSignInCode(request, call) {
      const madeBy = requireActor(call);
      const named = { name: request.name, displayName: '', email: '', roles: request.roles.map(requireRole) };
      const { name, roles } = requireStaffFacts(named);
      const code = { name, roles, madeBy, purgeAt: new Date(call.now.getTime() + codeMs) };
      return { expiresAt: await codes.insert(requireHash('code_hash', request.codeHash), code, call) };
    },
  };
}
