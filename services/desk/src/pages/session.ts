import { deadlineIn, unlessNotFound } from '@knowledge/runtime/client';
import type { CallOptions, Role } from '@knowledge/runtime/grpc';
import { repeatableRequestId } from '@knowledge/runtime/http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { isOfHtmx, isOwnForm, isUnsafe, RefusedRequest } from './requests.js';
import { hashOf, hasRole, isSecret, type StaffMember, toStaffMember } from './staff.js';
import type { WebDesk } from './web-desk.js';

/**
 * Sends people without an open session to the sign-in, and bounds their requests for each address. The session is looked
 * up in identity at each request.
 */
export function requireSession(app: FastifyInstance, desk: WebDesk): void {
  const bound = app.rateLimit({ max: 600 });
  app.addHook('onRequest', async (request, reply) => {
    const staff = await findStaff(request, desk);
    if (staff !== undefined) {
      request.desk.staff = staff;
      return;
    }
    await bound.call(app, request, reply);
    if (!isUnsafe(request)) return sendToSignIn(request, reply);
    // The body is read only for a browser that had a session, so that the answer keeps what was typed.
    const hadSession = isOwnForm(request) && (await findSession(request, desk, ownCall(request), true)) !== undefined;
    if (!hadSession) throw new SessionEnded(false);
  });
  app.addHook('preValidation', async (request) => {
    if (request.desk.staff === undefined) throw new SessionEnded(true);
  });
}

/** A request that changes something was sent without a session. */
export class SessionEnded extends RefusedRequest {
  /** @param hadSession says that the browser once had a session, so its form may be kept. */
  constructor(readonly hadSession: boolean) {
    super(401, 'Your session has ended, so nothing was changed.');
  }
}

/** The staff member of the request's session; undefined if no session is open. */
export async function findStaff(
  request: FastifyRequest,
  desk: Pick<WebDesk, 'cookies' | 'sessions'>,
  call = ownCall(request),
): Promise<StaffMember | undefined> {
  const found = await findSession(request, desk, call, false);
  return found && toStaffMember(found.session);
}

async function findSession(
  request: FastifyRequest,
  { cookies, sessions }: Pick<WebDesk, 'cookies' | 'sessions'>,
  call: CallOptions,
  alsoOver: boolean,
) {
  const secret = cookies.read(request, 'session');
  if (!isSecret(secret)) return undefined;
  return sessions.getSession({ secretHash: hashOf(secret), alsoOver }, call).catch(unlessNotFound);
}

/** The options of a call of the web desk itself, before it knows for whom it calls. */
export function ownCall({ id, desk: { trace, deadline } }: FastifyRequest): CallOptions {
  return { requestId: id, traceparent: trace.traceparent, deadline };
}

/** The options of a call for the signed-in staff member: their name and roles travel with it. */
export function callOf(request: FastifyRequest): CallOptions & { actor: string } {
  const { name, roles } = staffOf(request);
  return { ...ownCall(request), actor: name, roles };
}

/** A call that may take longer than a page may. */
export function longer<Call>(call: Call, { deadlineMs }: { readonly deadlineMs: number }) {
  return { ...call, deadline: deadlineIn(deadlineMs) };
}

/**
 * The options of the call of a form. Services know a repeat by the id of its request, which is that of a form with its
 * token and all that was typed. So a form that is sent twice counts once.
 */
export function formCallOf(request: FastifyRequest): ReturnType<typeof callOf> & { requestId: string } {
  return { ...callOf(request), requestId: repeatableRequestId(`${request.url} ${JSON.stringify(request.body)}`) };
}

/** The staff member who makes the request. Only pages behind the sign-in have one. */
export function staffOf({ desk: { staff } }: FastifyRequest): StaffMember {
  if (staff === undefined) throw new TypeError('A page without a session asked who is signed in.');
  return staff;
}

function sendToSignIn(request: FastifyRequest, reply: FastifyReply) {
  const path = `/sign-in?next=${encodeURIComponent(request.url)}`;
  // htmx would put the sign-in into the middle of the page.
  if (isOfHtmx(request)) return reply.code(401).header('hx-redirect', path).send();
  return reply.redirect(path, 303);
}

/** The options of a page with a form that only these roles may send. Others learn it before they fill it in, and before a body is read. */
export function onlyFor(...roles: readonly Role[]) {
  return {
    onRequest: async ({ desk: { staff } }: FastifyRequest) => {
      if (staff === undefined || hasRole(staff, ...roles)) return;
      throw new RefusedRequest(403, notAllowed([...roles, 'administrator'].join(', ')));
    },
  };
}

/** Says who may do what was refused. */
export function notAllowed(roles: string): string {
  return `Your role may not do this. These roles may: ${roles}.`;
}
