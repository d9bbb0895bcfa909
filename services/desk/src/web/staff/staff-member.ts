import { createHash, randomBytes } from 'node:crypto';
import { StaffRole, type StaffSession } from '@knowledge/proto/knowledge/identity/v1/staff';
import type { Role } from '@knowledge/runtime/grpc';

/** The staff member who makes a request. */
export interface StaffMember {
  /** The actor of every change. */
  readonly name: string;
  /** The name for people. */
  readonly displayName: string;
  readonly roles: readonly Role[];
  readonly sessionId: string;
  readonly expiresAt: Date;
}

/** A new secret of a session, and the hash that identity stores. */
export function newSecret(): { secret: string; hash: string } {
  const secret = randomBytes(32).toString('base64url');
  return { secret, hash: hashOf(secret) };
}

export function hashOf(secret: string): string {
  return createHash('sha256').update(secret).digest('base64url');
}

/** Whether a text has the form of a secret. Other texts never reach identity. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}

export function toStaffMember(session: StaffSession | undefined): StaffMember {
  if (session?.expiresAt === undefined) throw new TypeError('Identity sent no session.');
  const { id, name, displayName, roles, expiresAt } = session;
  return { name, displayName: displayName || name, roles: roles.map(roleOf), sessionId: id, expiresAt };
}

const words = new Map<StaffRole, Role>([
  [StaffRole.READER, 'reader'],
  [StaffRole.SUPPORT, 'support'],
  [StaffRole.MODERATOR, 'moderator'],
  [StaffRole.EDITOR, 'editor'],
  [StaffRole.ADMINISTRATOR, 'administrator'],
]);

export function roleOf(role: StaffRole): Role {
  const word = words.get(role);
  if (word === undefined) throw new TypeError('Identity sent a role that this version does not know.');
  return word;
}

export function toWireRoles(roles: readonly Role[]): StaffRole[] {
  return [...words].filter(([, word]) => roles.includes(word)).map(([role]) => role);
}
