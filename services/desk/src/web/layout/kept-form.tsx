import type { Html } from '@knowledge/runtime/html';
import type { FastifyReply } from 'fastify';
import { csrfField } from '../forms/csrf-field.js';
import { areaField } from '../forms/fields.js';
import { csrfTokenOf } from '../http/csrf.js';
import { type Shown, titled } from './send-page.js';
import { strange, words } from './values.js';

/** A form that nobody handled, since its session has ended or its token is of an earlier one. It can be sent again. */
export function keptFormPage(reply: FastifyReply): Shown {
  const { url, body, desk } = reply.request;
  const fields = fieldsOf(body);
  const isSignedIn = desk.staff !== undefined;
  const title = isSignedIn ? 'Send it again' : 'Your session has ended';
  const page = titled(
    title,
    <>
      {isSignedIn ? signedInAgain : signInFirst}
      <form method="post" action={url} data-unsent={fields.length > 0}>
        {csrfField(csrfTokenOf(reply))}
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
  );
  return { ...page, status: isSignedIn ? 403 : 401 };
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
export function sentWords(body: unknown): Html | undefined {
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
