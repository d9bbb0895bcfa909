import { bounds } from '@knowledge/runtime/product';
import type { Found } from '../../person/find-by-word.js';
import type { ErasureView } from '../../person/person.js';
import { csrfField } from '../forms/csrf-field.js';
import { textField } from '../forms/fields.js';
import type { Shown } from '../layout/send-page.js';
import { erasureTable } from './erasure-table.js';
import { noticeOf } from './notices.js';

interface FindFacts {
  readonly erasures: readonly ErasureView[];
  readonly csrf: string;
  readonly actor: string;
  readonly done: string;
}

/** The start of support: one field for all that people name, and the erasures that wait for a second person. */
export function findPage({ erasures, csrf, actor, done }: FindFacts): Shown {
  const main = (
    <>
      <h1>People</h1>
      {noticeOf(done)}
      <h2>Find</h2>
      <form class="fields" method="post" action="/people/find">
        {csrfField(csrf)}
        {textField({
          name: 'what',
          label: 'An address, an id, a code or a name',
          required: true,
          maxlength: 254,
          hint: 'The e-mail address of a person; the id of a contribution, token or request of an agent; the user code or the name of an agent; its client id (X-Agent-Client-Id) or IP address; the X-Request-Id of an answer or an error page, if that request stored something.',
        })}
        {textField({
          name: 'day',
          type: 'date',
          label: 'Day of a mail that the person asks about, UTC (may be empty)',
        })}
        {textField({ name: 'reason', label: 'Why you look, stored with your name (may be empty)', maxlength: 80 })}
        <p>
          <button>Find</button>
        </p>
      </form>
      {erasureTable(erasures, csrf, actor)}
    </>
  );
  return { title: 'People', main };
}

interface FoundLink {
  readonly found: Found;
  readonly path: string;
}

/** What the beginning of an id can mean. */
export function foundPage(word: string, links: readonly FoundLink[]): Shown {
  const main = (
    <>
      <h1>
        Found for <bdi>{word}</bdi>
      </h1>
      <ul>
        {links.map(({ found, path }) => (
          <li>
            <a href={path}>{nameOf(found)}</a>
          </li>
        ))}
      </ul>
      {findElse}
    </>
  );
  return { title: 'Found', main };
}

/** Says that nothing has this id, and what it can be. `limits` leads to the limits of a client id of this name, if it can be one. */
export function nothingPage(word: string, limits: string | undefined): Shown {
  const main = (
    <>
      <h1>
        Nothing is known under <bdi>{word}</bdi>
      </h1>
      <p>
        It is no IP address. It may be the id, code or name of something that is deleted: most data goes 30 days after
        its end. A request that changed nothing, such as one that failed, is only in the log files of the operators,
        under <code>request_id</code>.
      </p>
      <p>
        {limits === undefined
          ? `It is no client id: one has ${bounds.clientId.min} to ${bounds.clientId.max} characters.`
          : ['Or it is the client id of an agent: ', <a href={limits}>the limits of a client id of this name</a>, '.']}
      </p>
      {findElse}
    </>
  );
  return { title: 'Nothing found', main, status: 404 };
}

const findElse = (
  <p>
    <a href="/people">Find something else</a>
  </p>
);

function nameOf(found: Found): string {
  if (found.kind === 'person') return found.email;
  return found.kind === 'limits' ? found.subject : `${found.kind} ${found.id}`;
}
