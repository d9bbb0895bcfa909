import type { ListArticleRevisionsResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Html, minuteElement } from '@knowledge/runtime/html';
import { changeOf, presentRevision, type RevisionView, readersOf } from '../../article/present-revision.js';
import type { Shown } from '../layout/send-page.js';
import { type PathName, pathOf } from './article-name.js';

/** The revisions of an article, the newest first, and a form that compares any two. */
export function historyPage({ revisions, nextPageToken }: ListArticleRevisionsResponse, name: PathName): Shown {
  const title = `History of ${name.slug}`;
  const shown = revisions.map(presentRevision);
  const main = (
    <>
      <p>
        <a href={pathOf(name)}>Article</a>
      </p>
      <h1>{title}</h1>
      <form method="get" action={pathOf(name, 'difference')}>
        <section class="scroll" tabindex="0" aria-label="Revisions">
          <table>
            <thead>
              <tr>
                <th scope="col">From</th>
                <th scope="col">To</th>
                <th scope="col">Revision</th>
                <th scope="col">When</th>
                <th scope="col">Who</th>
                <th scope="col">What</th>
                <th scope="col">Readers</th>
                <th scope="col">Why</th>
                <th scope="col">Restore</th>
              </tr>
            </thead>
            <tbody>{shown.map((each, at) => row(each, at, name))}</tbody>
          </table>
        </section>
        <p>
          <button>Compare</button>
        </p>
      </form>
      {nextPageToken !== '' && (
        <p>
          <a href={`${pathOf(name, 'history')}?page=${encodeURIComponent(nextPageToken)}`}>Earlier revisions</a>
        </p>
      )}
    </>
  );
  return { title, main };
}

function row(view: RevisionView, at: number, name: PathName): Html {
  const { revision, occurred_at, actor, reason } = view;
  return (
    <tr>
      {radio('from', revision, at === 1)}
      {radio('to', revision, at === 0)}
      <td class="right">{revision}</td>
      <td>{occurred_at !== null && minuteElement(new Date(occurred_at))}</td>
      <td>
        <bdi>{actor}</bdi>
      </td>
      <td>{changeOf(view)}</td>
      <td>{readersOf(view)}</td>
      <td>
        <bdi>{reason}</bdi>
      </td>
      <td>
        <a href={pathOf(name, `restore?revision=${revision}`)} aria-label={`Restore revision ${revision}`}>
          Restore
        </a>
      </td>
    </tr>
  );
}

function radio(name: 'from' | 'to', revision: number, isChosen: boolean): Html {
  const label = `Compare ${name} revision ${revision}`;
  return (
    <td>
      <input type="radio" name={name} value={revision} checked={isChosen} aria-label={label} />
    </td>
  );
}
