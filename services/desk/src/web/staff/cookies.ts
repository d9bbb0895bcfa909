import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DeskConfig, isSecure } from '../settings/config.js';

/** The cookies of the web desk. Under TLS their prefix keeps other hosts of the domain from setting them. */
export interface Cookies {
  /** The attributes of every cookie. */
  readonly options: { path: '/'; httpOnly: true; sameSite: 'lax'; secure: boolean };
  nameOf(cookie: CookieName): string;
  read(request: FastifyRequest, cookie: CookieName): string | undefined;
  /** The sign-ins that the browser has begun, the oldest first. */
  signIns(request: FastifyRequest): `sign-in-${string}`[];
  set(reply: FastifyReply, cookie: CookieName, value: string, expires: Date): void;
  clear(reply: FastifyReply, cookie: CookieName): void;
}

/** `session` is the secret of the session, `sign-in-…` what the sign-in with this state remembers until the provider answers. */
type CookieName = 'session' | 'csrf' | `sign-in-${string}`;

export function createCookies(config: DeskConfig): Cookies {
  const secure = isSecure(config);
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const nameOf = (cookie: CookieName): string => `${secure ? '__Host-' : ''}desk-${cookie}`;
  return {
    options,
    nameOf,
    read: (request, cookie) => request.cookies[nameOf(cookie)],
    signIns: ({ cookies }) =>
      Object.keys(cookies).flatMap((name) => {
        const [, state] = name.split(nameOf('sign-in-'));
        return state === undefined ? [] : [`sign-in-${state}` as const];
      }),
    set: (reply, cookie, value, expires) => void reply.setCookie(nameOf(cookie), value, { ...options, expires }),
    clear: (reply, cookie) => void reply.clearCookie(nameOf(cookie), options),
  };
}
