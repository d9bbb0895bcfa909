/** The roles of staff members (GLOSSARY.md#people-and-programs), from the narrowest to the widest. */
export const roles = ['reader', 'support', 'moderator', 'editor', 'administrator'] as const;

export type Role = (typeof roles)[number];

export function isRole(value: string): value is Role {
  return (roles as readonly string[]).includes(value);
}

/** The caller whose entries in the access lists a role has. */
export function callerOfRole(role: Role): string {
  return role === 'reader' ? 'analyst' : role;
}
