import { errorCatalogue, KnowledgeError, translateOutage } from '@knowledge/runtime';
import type { Html } from '@knowledge/runtime/html';
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { contributionStates } from '../base/contribution-words.js';
import { words } from '../base/text.js';
import { areaField, csrfField } from './fields.js';
import { type Shown, sendPage, titled } from './page.js';
import { isOfHtmx, isOwnForm, isUnsafe, ownPath } from './requests.js';
import { notAllowed, SessionEnded } from './session.js';
import { strange } from './values.js';
import type { WebDesk } from './web-desk.js';

interface Failure {
  readonly status: number;
  readonly title: string;
  readonly message: string;
}

/** Turns every failure into a page, or for htmx into a message that is read out. Register it before any route. */
export function registerErrorPages(app: FastifyInstance, { config, log }: WebDesk): void {
  // A whole URL, since who came under another name gets only this page there.
  const home = config.DESK_PUBLIC_URL;
  app.setErrorHandler((error: FastifyError, request, reply) => {
    const failure = describe(error);
    const line = { request_id: request.id, route: request.routeOptions.url, err: error };
    if (failure.status >= 500) log[failure.status === 503 ? 'warn' : 'error'](line, 'a request failed');
    const isLate = isOldToken(error)
      ? request.desk.staff !== undefined
      : error instanceof SessionEnded && error.hadSession;
    if (isLate && isOwnForm(request)) return sendLate(request, reply, failure, home);
    return sendFailure(request, reply, failure, home);
  });
  const pageOfForm = pagesOfForms(app);
  app.setNotFoundHandler(async (request, reply) => {
    const page = pageOfForm(request);
    if (page !== undefined) return reply.redirect(page, 303);
    return sendFailure(request, reply, { status: 404, title: 'Not found', message: 'There is no such page.' }, home);
  });
}

/** Answers a form whose session has ended with a page that keeps it. For htmx the browser sends it once more for that page. */
function sendLate(request: FastifyRequest, reply: FastifyReply, failure: Failure, home: string) {
  if (!isOfHtmx(request)) return sendPage(reply, keptFormPage(request));
  return sendFailure(request, reply.header('desk-send-as-form', 'yes'), failure, home);
}

function isOldToken({ code }: FastifyError) {
  return code?.startsWith('FST_CSRF') === true;
}

/** Sends a failure in the place of the page, or as the message of the page that asked by htmx. */
function sendFailure(request: FastifyRequest, reply: FastifyReply, failure: Failure, home: string) {
  const { status, title, message } = failure;
  if (isOfHtmx(request)) {
    // The address of a refused form is no page, so the browser keeps the one that it shows.
    return reply
      .code(status)
      .header('hx-push-url', 'false')
      .type('text/html; charset=utf-8')
      .send((<p>{message}</p>).markup);
  }
  const back = pageBefore(request);
  const page = titled(
    title,
    <>
      <p>{message}</p>
      <p>{back === undefined ? <a href={home}>To the start page</a> : <a href={back}>Back</a>}</p>
      {request.desk?.staff !== undefined && isOwnForm(request) && sentWords(request.body)}
      <p class="small">
        Request {request.id}. Operators find it in the log files, under <code>request_id</code>.
      </p>
    </>,
    { status },
  );
  return sendPage(reply, page);
}

/** The page of ours from which the request came; undefined if that is this one or not known. A form may stand at its own address. */
function pageBefore(request: FastifyRequest) {
  const { headers, url } = request;
  const { referer } = headers;
  if (referer === undefined || !URL.canParse(referer)) return undefined;
  const { pathname, search } = new URL(referer);
  const path = ownPath(pathname + search);
  return path === '/' || (path === url && !isUnsafe(request)) ? undefined : path;
}

/** Gives each failure its status, a title and a message that says what happened and what to do. */
function describe(error: FastifyError): Failure {
  const known = translateOutage(error);
  const refusal = known instanceof KnowledgeError ? refusalOf(known) : undefined;
  if (refusal !== undefined) return { status: 403, title: 'Not allowed', message: refusal };
  const status = statusOf(known);
  if (status === 503) {
    return { status, title: 'Not available', message: 'A part of the service does not answer. Try again in a moment.' };
  }
  if (isOldToken(error)) {
    return {
      status,
      title: 'Send it again',
      message: 'This page was too old. Load it again, then send the form again.',
    };
  }
  if (status >= 500) return { status, title: 'Failed', message: 'Something went wrong. The log has more.' };
  const message = known instanceof Error ? stateWords(known.message) : '';
  return { status, title: titles[status] ?? 'Not possible', message };
}

/** A service names states as the protocol does; people read them in words. */
function stateWords(message: string) {
  return contributionStates.words.reduce((said, state) => said.replaceAll(state, words(state)), message);
}

const titles: Readonly<Record<number, string>> = {
  401: 'You are not signed in',
  403: 'Not allowed',
  404: 'Not found',
  409: 'Not possible now',
  413: 'Too large',
  421: 'Another host name',
  429: 'Too many attempts',
};

// gRPC refuses the call before the handler. Its message names the own roles, what was called and which roles may.
function refusalOf({ cause }: KnowledgeError) {
  const { code, details } = (cause ?? {}) as { code?: unknown; details?: string };
  const parts = code === permissionDenied && / may not call [^;]+; (.+) may\.$/.exec(details ?? '');
  if (!parts) return undefined;
  return notAllowed(parts[1] ?? '');
}

const permissionDenied = 7;

function statusOf(error: unknown) {
  const { statusCode } = error as Partial<FastifyError>;
  if (typeof statusCode === 'number') return statusCode;
  return error instanceof KnowledgeError ? errorCatalogue[error.code].http : 500;
}

/**
 * Finds the page that belongs to an address that takes only forms. Browsers restore a tab without its form. Call it before
 * any route is registered.
 */
function pagesOfForms(app: FastifyInstance): (request: FastifyRequest) => string | undefined {
  const known: Record<string, RegExp[]> = { GET: [], POST: [] };
  app.addHook('onRoute', ({ method, url }) => {
    const pattern = new RegExp(`^${url.replace(/:[^/]+/g, '[^/]+')}$`);
    for (const each of [method].flat()) known[each]?.push(pattern);
  });
  const isKnown = (method: string, path: string) => known[method]?.some((each) => each.test(path)) === true;
  return ({ method, url }) => {
    const [path = '', query] = url.split(/(?=\?)/);
    if (method !== 'GET' || !isKnown('POST', path)) return undefined;
    let page = path;
    do page = page.slice(0, page.lastIndexOf('/')) || '/';
    while (page !== '/' && !isKnown('GET', page));
    return `${page}${query ?? ''}`;
  };
}

/** A form that nobody handled, since its session has ended or its token is of an earlier one. It can be sent again. */
function keptFormPage({ url, body, desk }: FastifyRequest): Shown {
  const fields = fieldsOf(body);
  const isSignedIn = desk.staff !== undefined;
  return titled(
    isSignedIn ? 'Send it again' : 'Your session has ended',
    <>
      {isSignedIn ? signedInAgain : signInFirst}
      <form method="post" action={url} data-unsent={fields.length > 0}>
        {csrfField()}
        <p>
          <button class="main" autofocus={isSignedIn}>
            {isSignedIn ? 'Send it now' : 'Go on'}
          </button>
        </p>
        <details>
          <summary>What is kept</summary>
          {fields.map(([name, value], at) =>
            areaField({ name, id: `kept-${at}`, label: words(name), value, readonly: true }),
          )}
        </details>
      </form>
    </>,
    { status: isSignedIn ? 403 : 401 },
  );
}

const signInFirst: Html = (
  <>
    <p>Nothing was changed yet, and what you typed is kept on this page.</p>
    <p>
      <a class="button" href="/sign-in?next=/signed-in" target="_blank" autofocus rel="noopener">
        Sign in again in a new tab
      </a>
    </p>
    <p>Then come back to this tab.</p>
  </>
);

const signedInAgain: Html = <p>You signed in again after that page was loaded, so nothing was changed yet.</p>;

/** What a refused form had in it, so that nobody has to type it again; undefined if it was empty. */
function sentWords(body: unknown): Html | undefined {
  const typed = fieldsOf(body).filter(([, value]) => value.trim() !== '');
  if (typed.length === 0) return undefined;
  return (
    <>
      <h2>What you sent</h2>
      <dl class="facts">
        {typed.map(([name, value]) => (
          <div>
            <dt>{words(name)}</dt>
            <dd class="kept">{strange(value)}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

type Field = [name: string, value: string];

// A field can stand in a form several times.
function fieldsOf(body: unknown): Field[] {
  return Object.entries((body ?? {}) as Record<string, string | readonly string[]>)
    .filter(([name]) => name !== '_csrf')
    .flatMap(([name, values]) => [values].flat().map((value): Field => [name, value]));
}
