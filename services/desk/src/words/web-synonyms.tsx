import { SearchWordsServiceService, type Synonym } from '@knowledge/proto/knowledge/content/v1/search';
import { KnowledgeError } from '@knowledge/runtime';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  areaField,
  buttonRow,
  type Cells,
  confirmPage,
  csrfField,
  type FormFaults,
  fieldsOf,
  filterForm,
  formField,
  formPage,
  guardField,
  isRefused,
  linkButton,
  mainButton,
  moreLink,
  noFaults,
  readValues,
  reasonField,
  refusal,
  siteField,
  strange,
  tableOf,
  textField,
  titled,
  type WebDesk,
} from '../pages/index.js';
import { glossPath, registerGlosses } from './web-gloss.js';
import { hasWord, synonymOf } from './words.js';

const path = '/articles/words';
const pageSize = 100;

/** More than any field may have, so that the service says what is too long and nothing typed is lost. */
const most = { id: 1000, words: 20_000, from: 20_000, reason: 20_000 };

export const synonymFields = Object.keys(most) as (keyof typeof most)[];

/** Registers the pages for the words that editors keep for search. */
export function registerWords(app: FastifyInstance, desk: WebDesk): void {
  const client = desk.calls('content', SearchWordsServiceService);
  const read = async (request: FastifyRequest) => (await client(request).listSynonyms({})).synonyms;

  formPage(app, path, {
    fields: synonymFields,
    rephrase: byLine,
    typed: (request) => ({ ...readValues(request, most), seen: formField(request.body, 'seen') }),
    async save(form, request) {
      const group = groupOf(form);
      const there = (await read(request)).find(({ id }) => id === group.id);
      if (there !== undefined && versionOf(there) !== form.seen) {
        const others = [
          `There is a group ${group.id}, last changed by ${there.updatedBy}: ${[...there.from, ...there.words].join(', ')}.`,
          'If you save again, yours replaces it.',
        ];
        return { form: { ...form, seen: versionOf(there) }, faults: { of: {}, others } };
      }
      await client(request).putSynonym({ synonym: synonymOf(group), reason: form.reason, validateOnly: false });
      return `${path}?word=${encodeURIComponent(group.words[0] ?? '')}`;
    },
    /** The groups of synonyms, a form for one of them, and the way to glosses. */
    async show(request, sent) {
      const all = await read(request);
      const word = formField(request.query, 'word');
      const from = Number(/^\d{1,6}$/.exec(formField(request.query, 'from'))?.[0] ?? 0);
      const found = all.filter((group) => hasWord(group, word));
      const next = from + pageSize < found.length ? String(from + pageSize) : '';
      const open = sent === undefined ? all.find(({ id }) => id === formField(request.query, 'edit')) : undefined;
      const { form, faults } = sent ?? { form: formOf(open), faults: noFaults };
      return titled(
        'Words for search',
        <>
          <h2>English titles for texts in other languages</h2>
          <p>
            Readers who search in English find a text in another language by its gloss: an English title and summary.
          </p>
          {filterForm(
            glossPath,
            'Open the gloss of this text',
            siteField(''),
            textField({ name: 'text', label: 'Name in the URL, or id of an object', maxlength: 80, required: true }),
          )}
          <h2>Synonyms</h2>
          <p>A search for one word of a group finds all of them, within a second after you save.</p>
          {filterForm(path, 'Show', textField({ name: 'word', label: 'Contains', value: word, maxlength: 80 }))}
          {tableOf('Synonyms', found.slice(from, from + pageSize), cells, 'There are no such groups.')}
          {moreLink('More groups', path, { word }, next, 'from')}
          <h2 id="group">{form.seen === '' ? 'Another group' : 'Change a group'}</h2>
          {groupForm(form, faults)}
        </>,
      );
    },
  });

  confirmPage(app, `${path}/delete`, {
    async ask(request, named) {
      const id = formField(named, 'id');
      const group = (await read(request)).find((each) => each.id === id);
      if (group === undefined) throw new KnowledgeError('not_found', 'There is no such group of synonyms.');
      return {
        title: `Delete the group ${id}`,
        warning: `Searches no longer join these words, and they are not kept: ${[...group.from, ...group.words].join(', ')}.`,
        button: 'Delete',
        back: path,
        hidden: { id },
      };
    },
    async change(request, reason) {
      await client(request).deleteSynonym({ id: formField(request.body, 'id'), reason });
      return path;
    },
  });

  registerGlosses(app, desk);
}

const cells: Cells<Synonym> = {
  Name: ({ id }) => <a href={`${path}?edit=${encodeURIComponent(id)}#group`}>{id}</a>,
  Words: ({ words }) => strange(words.join(', ')),
  'Only from': ({ from }) => strange(from.join(', ')),
  Changed: 'updatedAt',
  By: 'updatedBy',
  Delete: ({ id }) => (
    <a href={`${path}/delete?id=${encodeURIComponent(id)}`} aria-label={`Delete the group ${id}`}>
      Delete
    </a>
  ),
};

function groupForm(form: ReturnType<typeof formOf>, faults: FormFaults<string>) {
  const field = fieldsOf(form, faults);
  return (
    <>
      {refusal(faults)}
      <form class="fields" method="post" action={path} data-unsent={isRefused(faults)}>
        {csrfField()}
        {guardField('seen', form.seen)}
        {textField({ ...field('id', 'Name', 'a-z, 0-9 and single hyphens, such as sso.'), required: true })}
        {areaField({ ...field('words', 'Words', 'One word or phrase in each line.'), rows: 5, required: true })}
        {areaField({
          ...field('from', 'Only from', 'A search for these also finds the words, and not the other way round.'),
          rows: 2,
        })}
        {reasonField(field('reason', 'Reason', 'Stored with the change.'))}
        {buttonRow(mainButton('Save the group'), form.seen !== '' && linkButton(path, 'Cancel'))}
      </form>
    </>
  );
}

/** The form of a group, and the version that it replaces; empty without one. */
function formOf(group: Synonym | undefined) {
  const { id = '', words = [], from = [] } = group ?? {};
  return { id, words: words.join('\n'), from: from.join('\n'), reason: '', seen: versionOf(group) };
}

/** Tells whether a group changed after somebody opened it. A group that does not exist has no version. */
function versionOf(group: Synonym | undefined) {
  return group === undefined ? '' : String(group.updatedAt?.getTime() ?? 0);
}

/** The group of a form, which has one word or phrase in each line. */
export function groupOf({ id, words, from }: Readonly<Record<'id' | 'words' | 'from', string>>) {
  return { id: id.trim(), words: linesOf(words), from: linesOf(from) };
}

function linesOf(text: string) {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Says in which line a fault is. The service counts the words from 0. */
export function byLine(message: string): string {
  return message.replace(/\b(words|from)\[(\d+)\] /g, (_, name, at) => `${name} in line ${Number(at) + 1} `);
}
