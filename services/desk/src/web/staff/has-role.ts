import type { Role } from '@knowledge/runtime/grpc';
import type { StaffMember } from './staff-member.js';

/** Whether a staff member has one of these roles. Pages hide the rest; the services decide who may do what. */
export function hasRole({ roles }: Pick<StaffMember, 'roles'>, ...wanted: readonly Role[]): boolean {
  return roles.includes('administrator') || wanted.some((role) => roles.includes(role));
}
