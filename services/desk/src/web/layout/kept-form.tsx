import type { Html } from '@knowledge/runtime/html';
import type { FastifyReply } from 'fastify';
import { csrfField } from '../forms/csrf-field.js';
import { csrfTokenOf } from '../http/csrf.js';
import type { Shown } from './send-page.js';
import { strange, words } from './values.js';

/** A form that nobody handled, since its session has ended or its token is of an earlier one. It can be sent again. */
export function keptFormPage(reply: FastifyReply): Shown {
  const { url, body, desk } = reply.request;
  const fields = fieldsOf(body);
  const isSignedIn = desk.staff !== undefined;
  const title = isSignedIn ? 'Send it again' : 'Your session has ended';
  const main = (
    <>
      <h1>{title}</h1>
      {isSignedIn ? signedInAgain : signInFirst}
      <form method="post" action={url}>
        {csrfField(csrfTokenOf(reply))}
        {fields.map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <p>
          <button class="main" autofocus={isSignedIn}>
            {isSignedIn ? 'Send it now' : 'Go on'}
          </button>
        </p>
      </form>
      <details>
        <summary>What is kept</summary>
        <dl class="facts">
          {fields.map(([name, value]) => (
            <div>
              <dt>{words(name)}</dt>
              <dd class="kept">{strange(value)}</dd>
            </div>
          ))}
        </dl>
      </details>
    </>
  );
  return { title, main, status: isSignedIn ? 403 : 401 };
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

// A field can stand in a form several times.
function fieldsOf(body: unknown): [name: string, value: string][] {
  return Object.entries((body ?? {}) as Record<string, string | readonly string[]>)
    .filter(([name]) => name !== '_csrf')
    .flatMap(([name, values]) => [values].flat().map((value): [string, string] => [name, value]));
}
