import { type StaffMember, StaffRole, type StaffSession } from '@knowledge/proto/knowledge/identity/v1/staff';
import { presented } from './presented.js';
import { enumWords } from './words.js';

export const staffRoles = enumWords(StaffRole);

export type StaffSessionView = ReturnType<typeof presentStaffSession>;

export function presentStaffSession(session: StaffSession) {
  return {
    ...presented(session),
    roles: session.roles.map(staffRoles.fromWire),
    ended_by: session.endedBy || null,
  };
}

export type StaffMemberView = ReturnType<typeof presentStaffMember>;

export function presentStaffMember(member: StaffMember) {
  return { ...presented(member), roles: member.roles.map(staffRoles.fromWire) };
}
