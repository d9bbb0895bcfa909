/** The roles of staff members (GLOSSARY.md#people-and-programs), from the narrowest to the widest. */
export const roles = ['reader', 'support', 'moderator', 'editor', 'administrator'] as const;

export type Role = (typeof roles)[number];

export function isRole(value: string): value is Role {
  return (roles as readonly string[]).includes(value);
}
