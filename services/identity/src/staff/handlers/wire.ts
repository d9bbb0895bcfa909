import {
  StaffRole,
  type StaffMember as WireMember,
  type StaffSession as WireSession,
} from '@knowledge/proto/knowledge/identity/v1/staff';
import { enumWords } from '@knowledge/runtime/wire';
import type { StaffSession } from '../domain/session.js';
import type { StaffMember } from '../store/members.js';

const roleWords = enumWords('roles', StaffRole);
export const requireRole = roleWords.require;

export function toWireSession(session: StaffSession): WireSession {
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

export function toWireMember({ roles, ...member }: StaffMember): WireMember {
  return { ...member, roles: roles.map(roleWords.toWire) };
}
