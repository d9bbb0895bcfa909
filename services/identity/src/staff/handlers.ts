import {
  StaffRole,
  type StaffServiceService,
  type StaffSessionServiceService,
  type StaffMember as WireMember,
  type StaffSession as WireSession,
} from '@knowledge/proto/knowledge/identity/v1/staff';
import {
  type CallContext,
  decodePageToken,
  encodePageToken,
  isUuid,
  KnowledgeError,
  later,
  pageToken,
  readPageQuery,
  readPageSize,
} from '@knowledge/runtime';
import { type Handlers, requireActor, requireAttribution } from '@knowledge/runtime/grpc';
import { enumWords } from '@knowledge/runtime/wire';
import { codeMs, newSession, requireHash, requireStaffFacts, type StaffFacts, type StaffSession } from './domain.js';
import type { StaffMember, StaffStores } from './store.js';

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

/** The calls of administrators and operators. */
export function staffHandlers({ sessions, codes, members }: StaffStores): Handlers<StaffServiceService> {
  return {
    async listSessions(request, call) {
      const { items, next } = await sessions.list({ open: request.open }, readPageQuery(request), call);
      return { sessions: items.map(toWireSession), nextPageToken: pageToken(next) };
    },

    async endSession({ id, reason }, call) {
      const act = requireAttribution(call, reason);
      const session = isUuid(id) ? await sessions.end(id, act, call) : undefined;
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
      const code = { name, roles, madeBy, purgeAt: later(call.now, codeMs) };
      return { expiresAt: await codes.insert(requireHash('code_hash', request.codeHash), code, call) };
    },
  };
}

const roleWords = enumWords('roles', StaffRole);
const requireRole = roleWords.require;

function toWireSession(session: StaffSession): WireSession {
  const { id, name, displayName, email, roles, createdAt, expiresAt, lastSeenAt, endedAt, history } = session;
  return {
    id,
    name,
    displayName,
    email,
    createdAt,
    expiresAt,
    lastSeenAt,
    roles: roles.map(roleWords.toWire),
    endedAt: endedAt ?? undefined,
    endedBy: endedAt === null ? '' : (history.at(-1)?.actor ?? ''),
  };
}

function toWireMember({ roles, ...member }: StaffMember): WireMember {
  return { ...member, roles: roles.map(roleWords.toWire) };
}
