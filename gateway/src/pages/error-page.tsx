import { errorCatalogue, type KnowledgeError } from '@knowledge/runtime';
import { type Fragment, retryTimeElement } from '@knowledge/runtime/html';
import type { SiteName, Sites } from '../upstream/sites.js';
import { page, pageUrl, requestFoot } from './parts/layout.js';
import { searchForm } from './published/entries.js';

/** An error page: what happened, what to do next, and the request id to quote when asking for help. */
export function errorPage(error: KnowledgeError, requestId: string, site: SiteName, sites: Sites): string {
  const { http } = errorCatalogue[error.code];
  const { title, text, search } = wordsFor(error, site, sites);
  const main = (
    <div class="failure">
      <p class="status">{http}</p>
      <h1>{title}</h1>
      {text}
      {search && searchForm(site, sites)}
      {requestFoot(error, requestId)}
    </div>
  );
  return page(sites, { site, title, noindex: true, main });
}

interface Words {
  readonly title: string;
  readonly text: Fragment;
  readonly search?: boolean;
}

function wordsFor(error: KnowledgeError, site: SiteName, sites: Sites): Words {
  const { code, message, retryAfterSeconds } = error;
  const { http } = errorCatalogue[code];
  const home = <a href={pageUrl('/', site, sites)}>first page</a>;
  const lists = [
    <a href={pageUrl('/articles', site, sites)}>articles</a>,
    ' and ',
    <a href={pageUrl('/objects', site, sites)}>stories</a>,
  ];
  if (code === 'read_quota_exceeded') {
    return {
      title: 'All reads of today are used',
      text: [
        <p>
          This page was asked for in the name of an agent, so it counts as one of the agent’s articles of the day, and
          all of those are used. They come back at <strong>{retryTimeElement(retryAfterSeconds ?? 1)}</strong>.
        </p>,
        <p>
          People who open this page in their own browser can read on. Lists, summaries and search are free for
          everybody. To the {home}.
        </p>,
      ],
    };
  }
  switch (http) {
    case 404:
      return {
        title: 'Nothing is here',
        text: (
          <p>
            The URL may be mistyped, or what was here was withdrawn. Everything that is published is in the lists of{' '}
            {lists}, or look for it:
          </p>
        ),
        search: true,
      };
    case 405:
      return {
        title: 'Not this way',
        text: [
          <p>There is something at this URL, but it does not take that kind of request. {message}</p>,
          <p>To the {home}.</p>,
        ],
      };
    case 429:
      return {
        title: 'A little slower, please',
        text: [
          <p>
            So many pages went to your IP address within a minute that we pause here. Please load this page again in{' '}
            <strong>{waiting(retryAfterSeconds)}</strong>; nothing is lost.
          </p>,
          <p>
            Reading with a program? Pages are for people; agents have{' '}
            <a href={pageUrl('/api/agent', site, sites)}>a quota of their own</a>.
          </p>,
        ],
      };
    case 503:
      return {
        title: 'Not right now',
        text: (
          <p>
            A part of the service cannot be reached at the moment. Please load this page again in{' '}
            <strong>{waiting(retryAfterSeconds)}</strong>.
          </p>
        ),
      };
    case 500:
      return {
        title: 'Something went wrong',
        text: (
          <p>
            This is our mistake, not yours. Load the page again, or go to the {home}; if it happens again,{' '}
            <a href={sites.operator.contact.url}>tell us</a> the request below.
          </p>
        ),
      };
    default:
      return {
        title: http === 400 ? 'This URL is not right' : 'This did not work',
        text: [
          <p>{message}</p>,
          <p>
            To the {home}, or to the lists of {lists}.
          </p>,
        ],
      };
  }
}

function waiting(seconds: number | undefined) {
  const whole = Math.max(1, Math.ceil(seconds ?? 1));
  return whole === 1 ? 'a second' : `${whole} seconds`;
}
