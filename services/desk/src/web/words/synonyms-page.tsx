import type { Synonym } from '@knowledge/proto/knowledge/content/v1/search';
import { bounds } from '@knowledge/runtime/product';
import { buttonRow, linkButton } from '../forms/buttons.js';
import { csrfField } from '../forms/csrf-field.js';
import { areaField, guardField, selectField, textField } from '../forms/fields.js';
import { type FormFaults, fieldsOf } from '../forms/form-values.js';
import { isRefused, refusal } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, moreLink, tableOf } from '../layout/tables.js';
import { siteChoices, strange, timeOf } from '../layout/values.js';
import type { SynonymField, SynonymForm } from './synonym-form.js';

export const wordsPath = '/articles/words';
export const glossPath = `${wordsPath}/gloss`;

/** What the page of the words for search shows. */
export interface SynonymsView {
  readonly groups: readonly Synonym[];
  /** Only groups with a word that contains this text; empty for all. */
  readonly word: string;
  /** Where the next part of the list begins; empty at the end. */
  readonly next: string;
  readonly form: SynonymForm;
  /** The version of the group that the form replaces; empty for a new one. */
  readonly seen: string;
  readonly faults: FormFaults<SynonymField>;
}

/** The groups of synonyms, a form for one of them, and the way to glosses. */
export function synonymsPage(view: SynonymsView, csrf: string): Shown {
  const { groups, word, next, form, seen, faults } = view;
  const field = fieldsOf(form, faults);
  const main = (
    <>
      <h1>Words for search</h1>
      <h2>English titles for texts in other languages</h2>
      <p>Readers who search in English find a text in another language by its gloss: an English title and summary.</p>
      <form class="filters" method="get" action={glossPath}>
        {selectField({ name: 'site', label: 'Site', choices: siteChoices })}
        {textField({ name: 'text', label: 'Name in the URL, or id of an object', maxlength: 80, required: true })}
        <button>Open its gloss</button>
      </form>
      <h2>Synonyms</h2>
      <p>A search for one word of a group finds all of them, within a second after you save.</p>
      <form class="filters" method="get" action={wordsPath}>
        {textField({ name: 'word', label: 'Contains', value: word, maxlength: 80 })}
        <button>Show</button>
      </form>
      {tableOf('Synonyms', groups, columns, 'There are no such groups.')}
      {moreLink('More groups', wordsPath, { word, from: next }, next)}
      <h2 id="group">{seen === '' ? 'Another group' : 'Change a group'}</h2>
      {refusal(faults)}
      <form class="fields" method="post" action={wordsPath} data-unsent={isRefused(faults)}>
        {csrfField(csrf)}
        {guardField('seen', seen)}
        {textField({ ...field('id', 'Name', 'a-z, 0-9 and single hyphens, such as sso.'), required: true })}
        {areaField({ ...field('words', 'Words', 'One word or phrase in each line.'), rows: 5, required: true })}
        {areaField({
          ...field('from', 'Only from', 'A search for these also finds the words, and not the other way round.'),
          rows: 2,
        })}
        {textField({ ...field('reason', 'Reason', 'Stored with the change.'), maxlength: bounds.reason.max })}
        {buttonRow(<button class="main">Save the group</button>, seen !== '' && linkButton(wordsPath, 'Cancel'))}
      </form>
    </>
  );
  return { title: 'Words for search', main, status: isRefused(faults) ? 422 : 200 };
}

const columns: readonly Column<Synonym>[] = [
  { header: 'Name', cell: ({ id }) => <a href={`${wordsPath}?edit=${encodeURIComponent(id)}#group`}>{id}</a> },
  { header: 'Words', cell: ({ words }) => strange(words.join(', ')) },
  { header: 'Only from', cell: ({ from }) => strange(from.join(', ')) },
  { header: 'Changed', cell: ({ updatedAt }) => timeOf(updatedAt) },
  { header: 'By', cell: ({ updatedBy }) => strange(updatedBy) },
  {
    header: 'Delete',
    cell: ({ id }) => (
      <a href={`${wordsPath}/delete?id=${encodeURIComponent(id)}`} aria-label={`Delete the group ${id}`}>
        Delete
      </a>
    ),
  },
];
