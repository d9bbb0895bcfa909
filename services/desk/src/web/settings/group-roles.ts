import { isRole, type Role, roles } from '@knowledge/runtime/grpc';

/**
 * Reads `OIDC_ROLES`: `cks-moderators=moderator;cks-admins=administrator`. A group may be named twice, for two roles.
 */
export function readGroupRoles(value = ''): ReadonlyMap<string, readonly Role[]> {
  const found = new Map<string, Role[]>();
  for (const [group = '', role = ''] of entriesOf(value)) {
    if (isRole(role)) found.set(group, [...(found.get(group) ?? []), role]);
  }
  return found;
}

/** The roles of a person by the claim that names their groups, in the order of all roles. */
export function rolesOf(claim: unknown, groupRoles: ReadonlyMap<string, readonly Role[]>): Role[] {
  const groups = Array.isArray(claim) ? claim : [claim];
  const own = groups.flatMap((group) => (typeof group === 'string' ? (groupRoles.get(group) ?? []) : []));
  return roles.filter((role) => own.includes(role));
}

/** Faults of `OIDC_ROLES`. `readConfig` calls it as a check. */
export function groupRolesFaults(value = ''): string[] {
  return entriesOf(value)
    .filter(([group, role = '']) => !group || !isRole(role) || otherSeparator.test(group))
    .map(
      (entry) =>
        `OIDC_ROLES has ${JSON.stringify(entry.join('='))}; expected group=role;group=role with ${roles.join(', ')}`,
    );
}

// `a=moderator,b=editor` is no name of a group that has the role editor; `cn=moderator,ou=staff` is one.
const otherSeparator = new RegExp(`=(?:${roles.join('|')})[\\s,]+[^=]*$`);

// The role stands after the last sign, since names of groups may contain one (`cn=staff,dc=example=editor`).
function entriesOf(value: string): string[][] {
  return value
    .split(';')
    .map((each) => each.trim())
    .filter((each, at) => each !== '' || (at === 0 && value !== ''))
    .map((each) => {
      const at = each.lastIndexOf('=');
      return at < 0 ? [each] : [each.slice(0, at).trim(), each.slice(at + 1).trim()];
    });
}
