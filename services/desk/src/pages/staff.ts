import { createHmac, hash, randomBytes } from 'node:crypto';
import type { StaffRole, StaffSession } from '@knowledge/proto/knowledge/identity/v1/staff';
import { isRole, type Role } from '@knowledge/runtime/grpc';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { staffRoles } from '../base/staff.js';
import { type DeskConfig, isSecure } from './config.js';

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

/** A new secret of a session. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The secret of the session that a code opens in a browser. A button that is pressed twice gives it again. */
export function secretFor(code: string, browser: string): string {
  return createHmac('sha256', browser).update(code).digest('base64url');
}

export function hashOf(secret: string): string {
  return hash('sha256', secret, 'base64url');
}

/** Whether a text has the form of a secret. Other texts never reach identity. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && /^[A-Za-z0-9_-]{43}$/.test(text);
}

export function toStaffMember(session: StaffSession | undefined): StaffMember {
  if (session?.expiresAt === undefined) throw new TypeError('Identity sent no session.');
  const { id, name, displayName, roles, expiresAt } = session;
  return { name, displayName: displayName || name, roles: rolesOf(roles), sessionId: id, expiresAt };
}

/** The roles as words. A role that only a newer identity knows is left out. */
export function rolesOf(roles: readonly StaffRole[]): Role[] {
  return roles.map(staffRoles.fromWire).filter(isRole);
}

/** Whether a staff member has one of these roles. Pages hide the rest; the services decide who may do what. */
export function hasRole({ roles }: Pick<StaffMember, 'roles'>, ...wanted: readonly Role[]): boolean {
  return roles.includes('administrator') || wanted.some((role) => roles.includes(role));
}

/** The cookies of the web desk. Under TLS their prefix keeps other hosts of the domain from setting them. */
export type Cookies = ReturnType<typeof createCookies>;

/** `session` is the secret of the session, `sign-in-…` what the sign-in with this state remembers until the provider answers. */
type CookieName = 'session' | 'csrf' | `sign-in-${string}`;

export function createCookies(config: DeskConfig) {
  const secure = isSecure(config);
  /** The attributes of every cookie. */
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const nameOf = (cookie: CookieName) => `${secure ? '__Host-' : ''}desk-${cookie}`;
  return {
    options,
    nameOf,
    read: ({ cookies }: FastifyRequest, cookie: CookieName) => cookies[nameOf(cookie)],
    /** The sign-ins that the browser has begun, the oldest first. */
    signIns: ({ cookies }: FastifyRequest) =>
      Object.keys(cookies).flatMap((name) => {
        const [, state] = name.split(nameOf('sign-in-'));
        return state === undefined ? [] : [`sign-in-${state}` as const];
      }),
    set: (reply: FastifyReply, cookie: CookieName, value: string, expires: Date) =>
      void reply.setCookie(nameOf(cookie), value, { ...options, expires }),
    clear: (reply: FastifyReply, cookie: CookieName) => void reply.clearCookie(nameOf(cookie), options),
  };
}
