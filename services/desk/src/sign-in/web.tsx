import { hasCode, later } from '@knowledge/runtime';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { staffRoles } from '../base/staff.js';
import {
  csrfField,
  findStaff,
  formField,
  hashOf,
  isSecret,
  linkLine,
  newSecret,
  ownCall,
  ownPath,
  type Shown,
  secretFor,
  sendPage,
  titled,
  toStaffMember,
  type WebDesk,
} from '../pages/index.js';
import { type NamedPerson, type SignInFlow, SignInRefused } from '../pages/provider.js';

const flowMs = 10 * 60_000;
/** The sign-ins that may wait for the provider at a time, in tabs of one browser. All cookies together have a bound. */
const mostFlows = 4;
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
    secret: string,
    open: (secretHash: string) => ReturnType<typeof sessions.startSession>,
  ): Promise<FastifyReply> => {
    const staff = toStaffMember((await open(hashOf(secret))).session);
    if (cookies.read(request, 'session') !== secret) await leave(request);
    cookies.clear(reply, 'csrf');
    // Afterwards it proves that this browser had a session, so that a late form is kept.
    cookies.set(reply, 'session', secret, later(staff.expiresAt, keptMs));
    return reply.redirect(next, 303);
  };

  const leave = async (request: FastifyRequest) => {
    const secret = cookies.read(request, 'session');
    if (isSecret(secret)) await sessions.signOut({ secretHash: hashOf(secret) }, ownCall(request));
  };

  /** Leads on who has a session. A link that is pressed again, or a tab that is restored, needs no other one. */
  const refuse = async (request: FastifyRequest, reply: FastifyReply, next: unknown, page: Shown) => {
    if ((await findStaff(request, desk)) !== undefined) return reply.redirect(ownPath(next), 303);
    return sendPage(reply, page);
  };

  app.get('/sign-in', async (request, reply) => {
    const next = ownPath(formField(request.query, 'next', 2000));
    const code = formField(request.query, 'code');
    if (byCode && isSecret(code)) return sendPage(reply, codePage(code, next));
    if ((await findStaff(request, desk)) !== undefined) return reply.redirect(next, 303);
    return sendPage(reply, signInPage(provider?.host, next));
  });

  // The first answer may have cleared the token before the second press.
  const errorHandler = async (error: FastifyError, request: FastifyRequest, reply: FastifyReply) => {
    if (error.statusCode !== 403 || (await findStaff(request, desk)) === undefined) throw error;
    return reply.redirect(ownPath((request.body as { next?: unknown } | null)?.next), 303);
  };
  app.post('/sign-in/code', { errorHandler }, async (request, reply) => {
    const code = formField(request.body, 'code');
    const next = ownPath(formField(request.body, 'next', 2000));
    if (!byCode || !isSecret(code)) return sendPage(reply, refusedPage('There is no such link.', 404));
    try {
      const secret = secretFor(code, cookies.read(request, 'csrf') ?? '');
      return await enter(request, reply, next, secret, (secretHash) =>
        sessions.redeemSignInCode({ codeHash: hashOf(code), secretHash }, ownCall(request)),
      );
    } catch (error) {
      if (!hasCode(error, 'not_found')) throw error;
      const again = 'This link was used, or is older than ten minutes. "knowledge desk sign-in" prints a new one.';
      return refuse(request, reply, next, refusedPage(again, 403));
    }
  });

  app.get('/sign-in/start', async (request, reply) => {
    if (provider === undefined) return reply.redirect('/sign-in', 303);
    const { url, flow } = await provider.begin(ownPath(formField(request.query, 'next', 2000)));
    const value = Buffer.from(JSON.stringify(flow)).toString('base64url');
    for (const old of cookies.signIns(request).slice(0, 1 - mostFlows)) cookies.clear(reply, old);
    cookies.set(reply, `sign-in-${flow.state}`, value, new Date(Date.now() + flowMs));
    return reply.redirect(url, 303);
  });

  app.get('/sign-in/callback', async (request, reply) => {
    const cookie = `sign-in-${formField(request.query, 'state')}` as const;
    const flow = readFlow(cookies.read(request, cookie));
    if (provider === undefined || flow === undefined) {
      const unknown = refusedPage('This sign-in did not begin in this browser, or took too long.', 400);
      return refuse(request, reply, '/', unknown);
    }
    cookies.clear(reply, cookie);
    let person: NamedPerson;
    try {
      person = await provider.finish(new URL(request.url, config.DESK_PUBLIC_URL), flow);
    } catch (error) {
      if (!(error instanceof SignInRefused)) throw error;
      desk.log.warn({ request_id: request.id, err: error.cause }, 'a sign-in was refused');
      return refuse(request, reply, flow.next, refusedPage(error.message, 403));
    }
    if (person.roles.length === 0) return sendPage(reply, noRolePage(person.displayName || person.name));
    return enter(request, reply, ownPath(flow.next), newSecret(), (secretHash) =>
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

function readFlow(value: string | undefined) {
  if (value === undefined) return undefined;
  try {
    const flow = JSON.parse(Buffer.from(value, 'base64url').toString()) as Record<string, unknown>;
    const isWhole = ['state', 'nonce', 'verifier', 'next'].every((name) => typeof flow[name] === 'string');
    return isWhole ? (flow as unknown as SignInFlow) : undefined;
  } catch {
    return undefined;
  }
}

/** The page on which a staff member without a session begins. */
function signInPage(provider: string | undefined, next: string) {
  return titled('Sign in', provider === undefined ? linkHint(next) : providerLink(provider, next));
}

/** The page of a sign-in link. Opening it changes nothing, since programs open links too. */
function codePage(code: string, next: string) {
  return titled(
    'Sign in',
    <form method="post" action="/sign-in/code">
      {csrfField({ code, next })}
      <p>This link works once.</p>
      <button autofocus>Sign in</button>
    </form>,
  );
}

/** A link or a sign-in that did not work. */
function refusedPage(message: string, status: number) {
  return titled(
    'You are not signed in',
    <>
      <p>{message}</p>
      {linkLine('/sign-in', 'Sign in again')}
    </>,
    { status },
  );
}

/** A person whom the provider knows and the service does not. */
function noRolePage(name: string) {
  return titled(
    'You have no role here',
    <>
      <p>
        The provider knows you as <bdi>{name}</bdi>, but you are in no group that may work here.
      </p>
      <p>Ask an administrator of the service for a role, then sign in again.</p>
    </>,
    { status: 403 },
  );
}

/** The page after a sign-out, on the way to the provider. */
function signedOutPage(onTo: string | undefined): Shown {
  const link =
    onTo === undefined ? <a href="/sign-in">Sign in again</a> : <a href={onTo}>End the session at the provider too</a>;
  return { ...titled('You are signed out', <p>{link}</p>), onTo };
}

function providerLink(host: string, next: string) {
  return (
    <p>
      <a class="button" href={`/sign-in/start?next=${encodeURIComponent(next)}`} autofocus>
        Sign in with {host}
      </a>
    </p>
  );
}

function linkHint(next: string) {
  return (
    <>
      <p>
        Open the link that <code>npm start</code> printed. It works once; <code>knowledge desk sign-in</code> prints a
        new one.
      </p>
      <p>
        Then come back: <a href={next}>I have signed in</a>
      </p>
    </>
  );
}
