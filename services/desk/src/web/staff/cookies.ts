import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DeskConfig, isSecure } from '../settings/config.js';

/** The cookies of the web desk. Under TLS their prefix keeps other hosts of the domain from setting them. */
export interface Cookies {
  /** The attributes of every cookie. */
  readonly options: { path: '/'; httpOnly: true; sameSite: 'lax'; secure: boolean };
  nameOf(cookie: CookieName): string;
  read(request: FastifyRequest, cookie: CookieName): string | undefined;
  set(reply: FastifyReply, cookie: CookieName, value: string, expires: Date): void;
  clear(reply: FastifyReply, cookie: CookieName): void;
}

/** `session` is the secret of the session, `sign-in` what a sign-in remembers until the provider answers. */
type CookieName = 'session' | 'sign-in' | 'csrf';

export function createCookies(config: DeskConfig): Cookies {
  const secure = isSecure(config);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const nameOf = (cookie: CookieName): string => `${secure ? '__Host-' : ''}desk-${cookie}`;
  return {
    options,
    nameOf,
    read: (request, cookie) => request.cookies[nameOf(cookie)],
    set: (reply, cookie, value, expires) => void reply.setCookie(nameOf(cookie), value, { ...options, expires }),
    clear: (reply, cookie) => void reply.clearCookie(nameOf(cookie), options),
  };
}
