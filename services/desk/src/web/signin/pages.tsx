import type { Html } from '@knowledge/runtime/html';
import { csrfField, type Shown, titled } from '../page-parts.js';

/** The page on which a staff member without a session begins. */
export function signInPage({ provider, next }: { provider: string | undefined; next: string }): Shown {
  return titled('Sign in', provider === undefined ? linkHint(next) : providerLink(provider, next));
}

/** The page of a sign-in link. Opening it changes nothing, since programs open links too. */
export function codePage({ code, next, csrf }: { code: string; next: string; csrf: string }): Shown {
  return titled(
    'Sign in',
    <form method="post" action="/sign-in/code">
      {csrfField(csrf)}
      <input type="hidden" name="code" value={code} />
      <input type="hidden" name="next" value={next} />
      <p>This link works once.</p>
      <button autofocus>Sign in</button>
    </form>,
  );
}

/** A link or a sign-in that did not work. */
export function refusedPage(message: string, status: number): Shown {
  const again = (
    <>
      <p>{message}</p>
      <p>
        <a href="/sign-in">Sign in again</a>
      </p>
    </>
  );
  return { ...titled('You are not signed in', again), status };
}

/** A person whom the provider knows and the service does not. */
export function noRolePage(name: string): Shown {
  const explained = (
    <>
      <p>
        The provider knows you as <bdi>{name}</bdi>, but you are in no group that may work here.
      </p>
      <p>Ask an administrator of the service for a role, then sign in again.</p>
    </>
  );
  return { ...titled('You have no role here', explained), status: 403 };
}

/** The page after a sign-out, on the way to the provider. */
export function signedOutPage(onTo: string | undefined): Shown {
  const link =
    onTo === undefined ? <a href="/sign-in">Sign in again</a> : <a href={onTo}>End the session at the provider too</a>;
  return { ...titled('You are signed out', <p>{link}</p>), onTo };
}

function providerLink(host: string, next: string): Html {
  return (
    <p>
      <a class="button" href={`/sign-in/start?next=${encodeURIComponent(next)}`} autofocus>
        Sign in with {host}
      </a>
    </p>
  );
}

function linkHint(next: string): Html {
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
