import type { ErasureView } from '../../present/erasure.js';
import { csrfField } from '../layout/layout.js';
import type { Shown } from '../layout/send-page.js';
import { erasureTable } from './erasure-table.js';
import { noticeOf } from './notices.js';

interface FindFacts {
  readonly erasures: readonly ErasureView[];
  readonly csrf: string;
  readonly actor: string;
  readonly done: string;
}

/** The start of support: find a person or a reader, and the erasures that wait for a second person. */
export function findPage({ erasures, csrf, actor, done }: FindFacts): Shown {
  const main = (
    <>
      <h1>People</h1>
      {noticeOf(done)}
      <h2>Find a person</h2>
      <form class="fields" method="post" action="/people/find">
        {csrfField(csrf)}
        <p>
          <label for="email">E-mail address, in upper or lower case</label>
          <input id="email" name="email" type="email" required maxlength="254" autocomplete="off" />
        </p>
        <p>
          <label for="reason">Why you look, stored with your name (may be empty)</label>
          <input id="reason" name="reason" maxlength="80" autocomplete="off" />
        </p>
        <p>
          <button>Find</button>
        </p>
      </form>
      <h2>Why does an agent get 429?</h2>
      <form class="fields" method="post" action="/people/limits">
        {csrfField(csrf)}
        <p>
          <label for="kind">Who is counted</label>
          <select id="kind" name="kind">
            <option value="client">Client id (X-Agent-Client-Id)</option>
            <option value="address">IP address</option>
            <option value="email">E-mail address of the human</option>
          </select>
        </p>
        <p>
          <label for="value">Its name</label>
          <input id="value" name="value" required maxlength="254" autocomplete="off" />
        </p>
        <p>
          <button>Show what is left</button>
        </p>
      </form>
      {erasureTable(erasures, csrf, actor)}
    </>
  );
  return { title: 'People', main };
}
