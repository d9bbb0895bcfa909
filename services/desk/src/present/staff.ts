import { type StaffMember, StaffRole, type StaffSession } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { Column } from '../print/table.js';
import { readableTime, timestamp } from '../print/time.js';
import { enumWords } from '../words.js';

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

export const staffSessionColumns: readonly Column<StaffSessionView>[] = [
  { header: 'id', value: 'id', isId: true },
  { header: 'name', value: 'name', flexible: true },
  { header: 'roles', value: (each) => each.roles.join(' '), flexible: true },
  { header: 'signed in, UTC', value: (each) => readableTime(each.created_at) },
  { header: 'last seen', value: (each) => readableTime(each.last_seen_at), dropPriority: 1 },
  { header: 'ends', value: (each) => readableTime(each.ended_at ?? each.expires_at) },
];

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

export const staffMemberColumns: readonly Column<StaffMemberView>[] = [
  { header: 'name', value: 'name', flexible: true },
  { header: 'display name', value: 'display_name', flexible: true, dropPriority: 2 },
  { header: 'e-mail', value: 'email', flexible: true, dropPriority: 1 },
  { header: 'roles', value: (each) => each.roles.join(' '), flexible: true },
  { header: 'last sign-in, UTC', value: (each) => readableTime(each.last_signed_in_at) },
];
