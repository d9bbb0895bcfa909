import type { ErasureView } from '../../present/erasure.js';
import { csrfField } from '../forms/csrf-field.js';
import { selectField, textField } from '../forms/fields.js';
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
        {textField({
          ...{ name: 'email', label: 'E-mail address, in upper or lower case' },
          ...{ type: 'email', required: true, maxlength: 254 },
        })}
        {textField({ name: 'reason', label: 'Why you look, stored with your name (may be empty)', maxlength: 80 })}
        <p>
          <button>Find</button>
        </p>
      </form>
      <h2>Why does an agent get 429?</h2>
      <form class="fields" method="post" action="/people/limits">
        {csrfField(csrf)}
        {selectField({ name: 'kind', label: 'Who is counted', choices: kinds })}
        {textField({ name: 'value', label: 'Its name', required: true, maxlength: 254 })}
        <p>
          <button>Show what is left</button>
        </p>
      </form>
      {erasureTable(erasures, csrf, actor)}
    </>
  );
  return { title: 'People', main };
}

const kinds = [
  ['client', 'Client id (X-Agent-Client-Id)'],
  ['address', 'IP address'],
  ['email', 'E-mail address of the human'],
] as const;
