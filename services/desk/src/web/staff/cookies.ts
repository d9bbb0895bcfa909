import type { FastifyReply, FastifyRequest } from 'fastify';
import { type DeskConfig, isSecure } from '../settings/config.js';

/** The cookies of the web desk. Under TLS their prefix keeps other hosts of the domain from setting them. */
export type Cookies = ReturnType<typeof createCookies>;

/** `session` is the secret of the session, `sign-in-…` what the sign-in with this state remembers until the provider answers. */
type CookieName = 'session' | 'csrf' | `sign-in-${string}`;

export function createCookies(config: DeskConfig) {
  const secure = isSecure(config);
  /** The attributes of every cookie. */
  const options = { path: '/', httpOnly: true, sameSite: 'lax', secure } as const;
  const nameOf = (cookie: CookieName): string => `${secure ? '__Host-' : ''}desk-${cookie}`;
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
