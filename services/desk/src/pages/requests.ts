import { parse } from 'node:querystring';
import csrf from '@fastify/csrf-protection';
import helmet from '@fastify/helmet';
import { type Deadline, KnowledgeError } from '@knowledge/runtime';
import { headerFault } from '@knowledge/runtime/http';
import { type RequestTrace, unmatchedRoute } from '@knowledge/runtime/telemetry';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type DeskConfig, isSecure } from './config.js';
import type { Cookies, StaffMember } from './staff.js';
import type { WebDesk } from './web-desk.js';

/** What the web desk knows about a request. */
interface DeskRequest {
  readonly trace: RequestTrace;
  /** When the services must have answered. */
  readonly deadline: Deadline;
  /** Who makes the request; undefined before the sign-in. */
  staff: StaffMember | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    desk: DeskRequest;
  }

  interface FastifyContextConfig {
    /** Probes and static files are served under any host name. */
    readonly anyHost?: boolean;
  }
}

const responseMs = 8_000;

/** Begins the trace of every request, refuses those that came from another site, and logs and measures them. */
export function registerRequestChecks(app: FastifyInstance, { config, watch, log }: WebDesk): void {
  const { host, origin } = new URL(config.DESK_PUBLIC_URL);
  app.decorateRequest('desk');
  app.addHook('onRequest', async (request) => {
    const trace = watch.begin(request.method, routeOf(request), request.headers);
    request.desk = { trace, deadline: Date.now() + responseMs, staff: undefined };
    const fault = headerFault(request.raw);
    if (fault !== undefined) throw fault;
    // Another name would be another site to the browser, such as one that an attacker's DNS gives this address.
    if (request.headers.host !== host && request.routeOptions.config.anyHost !== true) {
      throw new RefusedRequest(421, `The web desk is at ${config.DESK_PUBLIC_URL}.`);
    }
    // All our paths are visible ASCII, so that their parts can stand in a header.
    if (Object.values(request.params as object).some((part) => !/^[\x21-\x7e]*$/.test(part))) {
      throw new KnowledgeError('not_found', 'There is no such page.');
    }
    if (isUnsafe(request) && isFromElsewhere(request, origin)) {
      throw new RefusedRequest(403, 'This form was sent by another site. Nothing was changed.');
    }
  });
  app.addHook('onResponse', async (request, reply) => {
    const { id, method } = request;
    const { statusCode: status, elapsedTime: ms } = reply;
    const route = routeOf(request);
    const { trace, staff } = request.desk;
    watch.end(trace, method, route, status, ms);
    const actor = staff === undefined ? {} : { actor: staff.name };
    const line = { request_id: id, trace_id: trace.traceId, method, route, status, ms: Math.round(ms * 10) / 10 };
    log.info({ ...line, ...actor }, 'request');
  });
}

/** A request that is refused with this status of HTTP. */
export class RefusedRequest extends KnowledgeError {
  constructor(
    readonly statusCode: number,
    message: string,
  ) {
    super('bad_request', message);
  }
}

export function isUnsafe({ method }: Pick<FastifyRequest, 'method'>): boolean {
  return method !== 'GET' && method !== 'HEAD';
}

/** A script of htmx made the request, and puts the answer into its page. */
export function isOfHtmx({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  return headers['hx-request'] === 'true';
}

/** A browser sent a form without files that stood in a page of ours. */
export function isOwnForm({ headers }: Pick<FastifyRequest, 'headers'>): boolean {
  const type = headers['content-type'] ?? '';
  return headers['sec-fetch-site'] === 'same-origin' && type.startsWith('application/x-www-form-urlencoded');
}

// All browsers of today say where a request comes from. Programs say nothing, and need the CSRF token too.
function isFromElsewhere({ headers }: FastifyRequest, origin: string) {
  const site = headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true;
  return headers.origin !== undefined && headers.origin !== origin;
}

function routeOf({ routeOptions }: FastifyRequest) {
  return routeOptions.url ?? unmatchedRoute;
}

const own = ["'self'"];

/** Sets the security headers of every response (SECURITY.md#web-desk). No page is stored, framed, or given other code than ours. */
export async function registerSecurityHeaders(app: FastifyInstance, config: DeskConfig): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        scriptSrc: own,
        styleSrc: own,
        imgSrc: own,
        connectSrc: own,
        formAction: own,
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
    },
    strictTransportSecurity: isSecure(config) && { maxAge: 180 * 86_400, includeSubDomains: false },
    // Browsers send `Origin: null` with a form under a stricter policy.
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({
      'cache-control': 'no-store',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()',
      'x-request-id': request.id,
    });
  });
}

/** The bounds of a form: an article with all characters escaped, and the longest list of highlights with notes. */
export const formLimits = { bytes: 1024 * 1024, fields: 500 };

/** Reads forms, and no other bodies. Fields are counted before anything is made of them. */
export function registerFormBody(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    async (_request: unknown, body: string) => {
      const { fields: most } = formLimits;
      if (body.split('&', most + 1).length > most)
        throw new RefusedRequest(413, `A form may have at most ${most} fields.`);
      return parse(body);
    },
  );
}

/** Refuses every request that changes something and lacks the token of the browser's CSRF cookie. */
export async function registerCsrf(app: FastifyInstance, cookies: Cookies): Promise<void> {
  await app.register(csrf, { cookieKey: cookies.nameOf('csrf'), cookieOpts: cookies.options });
  app.addHook('preHandler', (request, reply, done) => {
    if (isUnsafe(request)) app.csrfProtection(request, reply, done);
    else done();
  });
}

const tokens = new WeakMap<FastifyReply, string>();

/** The token that the forms of this response send as `_csrf`, and htmx as a header. */
export function csrfTokenOf(reply: FastifyReply): string {
  const token = tokens.get(reply) ?? reply.generateCsrf();
  tokens.set(reply, token);
  return token;
}

/** The path of a page of our own that `next` names; the start page for anything else. */
export function ownPath(next: unknown): string {
  if (typeof next !== 'string' || next.length > 2000) return '/';
  // Browsers read `//host` and `/\host` as another site, and drop tabs and line breaks before they do.
  if (!/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(next)) return '/';
  const base = 'http://desk.invalid';
  const url = URL.canParse(next, base) ? new URL(next, base) : undefined;
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/';
  return url.pathname.startsWith('/sign-') ? '/' : `${url.pathname}${url.search}`;
}
