import { type StaffMember, StaffRole, type StaffSession } from '@knowledge/proto/knowledge/identity/v1/staff';
import { timestamp } from './time.js';
import { enumWords } from './words.js';

export const staffRoles = enumWords(StaffRole);

export type StaffSessionView = ReturnType<typeof presentStaffSession>;

export function presentStaffSession(session: StaffSession) {
  return {
    id: session.id,
    name: session.name,
    display_name: session.displayName,
    email: session.email,
    roles: session.roles.map(staffRoles.fromWire),
    created_at: timestamp(session.createdAt),
    last_seen_at: timestamp(session.lastSeenAt),
    expires_at: timestamp(session.expiresAt),
    ended_at: timestamp(session.endedAt),
    ended_by: session.endedBy || null,
  };
}

export type StaffMemberView = ReturnType<typeof presentStaffMember>;

export function presentStaffMember(member: StaffMember) {
  return {
    name: member.name,
    display_name: member.displayName,
    email: member.email,
    roles: member.roles.map(staffRoles.fromWire),
    last_signed_in_at: timestamp(member.lastSignedInAt),
  };
}
