import type { ArticleRecord, ListArticleRecordsResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Html, minuteElement } from '@knowledge/runtime/html';
import { articleStates } from '../../article/present-article.js';
import { requireField } from '../../present/require-field.js';
import { sites } from '../../words.js';
import type { Shown } from '../layout/send-page.js';
import { pathOf } from './article-name.js';

/** Which articles the list shows; empty for all. */
export interface ArticleFilter {
  readonly site: string;
  readonly state: string;
}

/** The list of articles in any state, the last changed first. */
export function listPage({ articles, nextPageToken }: ListArticleRecordsResponse, filter: ArticleFilter): Shown {
  const main = (
    <>
      <h1>Articles</h1>
      <p>
        <a class="button" href="/articles/new">
          Write an article
        </a>
      </p>
      <form class="filters" method="get" action="/articles">
        {choice('site', 'Site', sites.words, filter.site)}
        {choice('state', 'State', articleStates.words, filter.state)}
        <button>Show</button>
      </form>
      {articles.length === 0 ? <p>There are no such articles.</p> : table(articles)}
      {nextPageToken !== '' && (
        <p>
          <a href={`/articles?${new URLSearchParams({ ...filter, page: nextPageToken })}`}>More articles</a>
        </p>
      )}
    </>
  );
  return { title: 'Articles', main };
}

function choice(name: string, label: string, words: readonly string[], chosen: string): Html {
  return (
    <div>
      <label for={name}>{label}</label>
      <select id={name} name={name}>
        <option value="">all</option>
        {words.map((word) => (
          <option value={word} selected={word === chosen}>
            {word}
          </option>
        ))}
      </select>
    </div>
  );
}

function table(articles: readonly ArticleRecord[]): Html {
  return (
    <section class="scroll" tabindex="0" aria-label="Articles">
      <table>
        <thead>
          <tr>
            <th scope="col">Title</th>
            <th scope="col">Site</th>
            <th scope="col">State</th>
            <th scope="col">Next revision</th>
            <th scope="col">Changed</th>
            <th scope="col">Revision</th>
          </tr>
        </thead>
        <tbody>{articles.map(row)}</tbody>
      </table>
    </section>
  );
}

function row({ entry: sent, state, draft }: ArticleRecord): Html {
  const entry = requireField(sent);
  return (
    <tr>
      <td>
        <a href={pathOf(entry)}>
          <bdi>{entry.title}</bdi>
        </a>
      </td>
      <td>{sites.fromWire(entry.site)}</td>
      <td>
        <span class="state">{articleStates.fromWire(state)}</span>
      </td>
      <td>
        {draft !== undefined && (
          <a href={pathOf(entry, 'next')}>
            {draft.publishAt === undefined ? 'draft' : minuteElement(draft.publishAt)}
            {draft.baseRevision !== entry.revision && ' (outdated)'}
          </a>
        )}
      </td>
      <td>{entry.updatedAt && minuteElement(entry.updatedAt)}</td>
      <td class="right">{entry.revision}</td>
    </tr>
  );
}
