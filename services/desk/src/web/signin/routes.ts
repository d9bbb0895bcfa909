import { hasCode } from '@knowledge/runtime';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { staffRoles } from '../../present/staff.js';
import { csrfTokenOf } from '../http/csrf.js';
import { formField } from '../http/form-field.js';
import { ownPath } from '../http/own-path.js';
import { findStaff, ownCall } from '../http/session.js';
import { sendPage } from '../layout/send-page.js';
import { type NamedPerson, type SignInFlow, SignInRefused } from '../oidc/provider.js';
import { hashOf, isSecret, newSecret, toStaffMember } from '../staff/staff-member.js';
import type { WebDesk } from '../web-desk.js';
import { codePage, noRolePage, refusedPage, signedOutPage, signInPage } from './pages.js';

const flowMs = 10 * 60_000;
/** Identity knows for this long that there was a session. */
const keptMs = 30 * 86_400_000;

/** Registers signing in and out. Nobody needs a session here, so these pages are bounded for each address. */
export function registerSignIn(app: FastifyInstance, desk: WebDesk): void {
  const { config, cookies, provider, sessions } = desk;
  const byCode = config.SIGN_IN_CODES === 'allow';
  app.addHook('onRequest', app.rateLimit());

  /** Starts a session under a new secret, so that a secret from before the sign-in is worth nothing after it. */
  const enter = async (
    request: FastifyRequest,
    reply: FastifyReply,
    next: string,
    open: (secretHash: string) => ReturnType<typeof sessions.startSession>,
  ): Promise<FastifyReply> => {
    const { secret, hash } = newSecret();
    const staff = toStaffMember((await open(hash)).session);
    await leave(request);
    cookies.clear(reply, 'sign-in');
    cookies.clear(reply, 'csrf');
    // Afterwards it proves that this browser had a session, so that a late form is kept.
    cookies.set(reply, 'session', secret, new Date(staff.expiresAt.getTime() + keptMs));
    return reply.redirect(next, 303);
  };

  const leave = async (request: FastifyRequest): Promise<void> => {
    const secret = cookies.read(request, 'session');
    if (isSecret(secret)) await sessions.signOut({ secretHash: hashOf(secret) }, ownCall(request));
  };

  app.get('/sign-in', async (request, reply) => {
    const next = ownPath(formField(request.query, 'next', 2000));
    const code = formField(request.query, 'code');
    if (byCode && isSecret(code)) return sendPage(reply, codePage({ code, next, csrf: csrfTokenOf(reply) }));
    if ((await findStaff(request, desk)) !== undefined) return reply.redirect(next, 303);
    return sendPage(reply, signInPage({ provider: provider?.host, next }));
  });

  app.post('/sign-in/code', async (request, reply) => {
    const code = formField(request.body, 'code');
    const next = ownPath(formField(request.body, 'next', 2000));
    if (!byCode || !isSecret(code)) return sendPage(reply, refusedPage('There is no such link.', 404));
    try {
      return await enter(request, reply, next, (secretHash) =>
        sessions.redeemSignInCode({ codeHash: hashOf(code), secretHash }, ownCall(request)),
      );
    } catch (error) {
      if (!hasCode(error, 'not_found')) throw error;
      const again = 'This link was used, or is older than ten minutes. "knowledge desk sign-in" prints a new one.';
      return sendPage(reply, refusedPage(again, 403));
    }
  });

  app.get('/sign-in/start', async (request, reply) => {
    if (provider === undefined) return reply.redirect('/sign-in', 303);
    const { url, flow } = await provider.begin(ownPath(formField(request.query, 'next', 2000)));
    const value = Buffer.from(JSON.stringify(flow)).toString('base64url');
    cookies.set(reply, 'sign-in', value, new Date(Date.now() + flowMs));
    return reply.redirect(url, 303);
  });

  app.get('/sign-in/callback', async (request, reply) => {
    const flow = readFlow(cookies.read(request, 'sign-in'));
    if (provider === undefined || flow === undefined) {
      return sendPage(reply, refusedPage('This sign-in did not begin in this browser, or took too long.', 400));
    }
    cookies.clear(reply, 'sign-in');
    let person: NamedPerson;
    try {
      person = await provider.finish(new URL(request.url, config.DESK_PUBLIC_URL), flow);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      desk.log.warn({ request_id: request.id, err: error.cause }, 'a sign-in was refused');
      return sendPage(reply, refusedPage(error.message, 403));
    }
    if (person.roles.length === 0) return sendPage(reply, noRolePage(person.displayName || person.name));
    return enter(request, reply, ownPath(flow.next), (secretHash) =>
      sessions.startSession({ ...person, roles: person.roles.map(staffRoles.toWire), secretHash }, ownCall(request)),
    );
  });

  app.post('/sign-out', async (request, reply) => {
    await leave(request);
    cookies.clear(reply, 'csrf');
    // The session here is over, whether or not the provider answers.
    const onTo = await provider?.signOutUrl().catch(() => undefined);
    return sendPage(reply, signedOutPage(onTo));
  });
}

function readFlow(value: string | undefined): SignInFlow | undefined {
  if (value === undefined) return undefined;
  try {
    const flow = JSON.parse(Buffer.from(value, 'base64url').toString()) as Record<string, unknown>;
    const isWhole = ['state', 'nonce', 'verifier', 'next'].every((name) => typeof flow[name] === 'string');
    return isWhole ? (flow as unknown as SignInFlow) : undefined;
  } catch {
    return undefined;
  }
}
