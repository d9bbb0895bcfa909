import { type CommunityObject, type ObjectEntry, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { type Fragment, type Html, languageTag } from '@knowledge/runtime/html';
import { bounds } from '@knowledge/runtime/product';
import { objectKinds, presentObject } from '../../present/object.js';
import { requireField } from '../../present/require-field.js';
import { buttonRow, linkButton } from '../forms/buttons.js';
import { areaField, selectField, textField, timeField } from '../forms/fields.js';
import { type FormFaults, fieldsOf } from '../forms/form-values.js';
import { type Guards, isRefused, refusal, textForm } from '../forms/text-form.js';
import type { Shown } from '../layout/send-page.js';
import { type Column, moreLink, tableOf } from '../layout/tables.js';
import { shownText } from '../layout/text-preview.js';
import { fact, siteChoices, siteTitle, stateMark, strange, timeOf, words } from '../layout/values.js';
import { hasRole } from '../staff/has-role.js';
import type { StaffMember } from '../staff/staff-member.js';
import type { ObjectField, ObjectForm } from './object-form.js';

export const objectsPath = '/articles/objects';

/** Which objects the list shows. */
export interface ObjectFilter {
  readonly site: string;
  /** Empty for all. */
  readonly kind: string;
}

/** What the catalog of a site shows, newest first: objects of the editors, and published contributions. */
export function objectListPage(
  entries: readonly ObjectEntry[],
  filter: ObjectFilter,
  nextPage: string,
  mayWrite: boolean,
): Shown {
  const kinds = [['', 'all'] as const, ...objectKinds.words.map((kind) => [kind, words(kind)] as const)];
  const main = (
    <>
      <h1>Objects</h1>
      <p>
        What the catalog shows: texts of editors (knowledge), and contributions that moderators published. Only
        published objects exist; one that was withdrawn is gone.
      </p>
      {mayWrite && <p>{linkButton(`${objectsPath}/new`, 'Write an object')}</p>}
      <form class="filters" method="get" action={objectsPath}>
        {selectField({ name: 'site', label: 'Site', value: filter.site, choices: siteChoices })}
        {selectField({ name: 'kind', label: 'Kind', value: filter.kind, choices: kinds })}
        <button>Show</button>
      </form>
      {tableOf('Objects', entries, columns, 'There are no such objects.')}
      {moreLink('More objects', objectsPath, { ...filter, page: nextPage }, nextPage)}
    </>
  );
  return { title: 'Objects', main };
}

const columns: readonly Column<ObjectEntry>[] = [
  {
    header: 'Title',
    cell: ({ id, title }) => (
      <a href={pathOf(id)}>
        <bdi>{title}</bdi>
      </a>
    ),
  },
  { header: 'Kind', cell: ({ kind }) => words(objectKinds.fromWire(kind)) },
  { header: 'By', cell: ({ author }) => strange(author) },
  { header: 'Published', cell: ({ publishedAt }) => timeOf(publishedAt) },
  { header: 'Changed', cell: ({ updatedAt }) => timeOf(updatedAt) },
];

export function pathOf(id: string, page = ''): string {
  return `${objectsPath}/${encodeURIComponent(id)}${page === '' ? '' : `/${page}`}`;
}

/** One object of the catalog, and what a staff member can do with it. */
export function objectPage({ entry: sent, body, prompt }: CommunityObject, staff: Pick<StaffMember, 'roles'>): Shown {
  const entry = requireField(sent);
  const object = presentObject(entry);
  const isOwn = entry.kind === ObjectKind.KNOWLEDGE;
  const main = (
    <>
      <p>
        <a href={`${objectsPath}?site=${object.site}`}>Objects</a>
      </p>
      <h1>
        <bdi>{entry.title}</bdi>
      </h1>
      <dl class="facts">
        {fact('State', stateMark(object.state))}
        {fact('Kind', words(object.kind))}
        {fact('Site', siteTitle(object.site))}
        {fact('Id', <code>{entry.id}</code>)}
        {fact('Answers', strange(prompt?.question))}
        {fact('Author', strange(entry.author))}
        {fact('Language', entry.language)}
        {fact('Published', timeOf(entry.publishedAt))}
        {fact('Changed', timeOf(entry.updatedAt))}
        {fact('Edited by a moderator', timeOf(entry.editedAt))}
        {fact('Length', `about ${entry.readingTokens} tokens`)}
      </dl>
      {isOwn &&
        hasRole(staff, 'editor') &&
        buttonRow(linkButton(pathOf(entry.id, 'edit'), 'Edit'), linkButton(pathOf(entry.id, 'withdraw'), 'Withdraw'))}
      {!isOwn && contributionNotice(entry.id, hasRole(staff, 'moderator'))}
      {shownText(entry, body)}
    </>
  );
  return { title: entry.title, main };
}

function contributionNotice(id: string, isModerator: boolean): Html {
  const who = 'Moderators correct or retract it';
  return (
    <p class="notice">
      This is a published contribution. {isModerator ? <a href={`/queue/${encodeURIComponent(id)}`}>{who}</a> : who}.
    </p>
  );
}

/** What the form for the text of an object shows. */
export interface ObjectEditView {
  readonly title: string;
  readonly action: string;
  readonly form: ObjectForm;
  readonly faults: FormFaults<ObjectField>;
  /** Whether the object exists already, so that its site stays. */
  readonly exists: boolean;
  readonly hidden?: Readonly<Record<string, string>>;
  readonly guards?: Guards;
  readonly preview?: Fragment;
  readonly back: string;
  readonly after?: Fragment;
}

export function objectEditPage(view: ObjectEditView, csrf: string): Shown {
  const { title, form, faults, exists, preview, after } = view;
  const isUnsent = preview !== undefined || isRefused(faults);
  const fields = objectFields(form, faults, exists);
  const main = (
    <>
      <h1>{title}</h1>
      <p class="soft">Readers get an object as soon as you publish it.</p>
      {refusal(faults)}
      {preview}
      {textForm({ ...view, save: 'Publish', isUnsent, fields }, csrf)}
      {after}
    </>
  );
  return { title, main, status: isRefused(faults) ? 422 : 200 };
}

function objectFields(form: ObjectForm, faults: FormFaults<ObjectField>, exists: boolean): Html {
  const field = fieldsOf(form, faults);
  const lang = languageTag(form.language);
  return (
    <>
      {exists ? (
        <input type="hidden" name="site" value={form.site} />
      ) : (
        selectField({ ...field('site', 'Site', 'It stays.'), choices: siteChoices })
      )}
      {textField({ ...field('title', 'Title'), lang, required: true, maxlength: bounds.articleTitle.max })}
      {areaField({
        ...field('summary', 'Summary', 'For lists and search. Empty takes the beginning of the text.'),
        lang,
        rows: 2,
      })}
      <div class="two">
        {textField(field('author', 'Author', 'The name that readers see.'))}
        {textField(field('language', 'Language', 'Such as en or pl; empty if it is unknown.'))}
        {timeField(field('published_at', 'Published', 'Without a time: now, or as it was.'))}
      </div>
      {areaField({ ...field('body', 'Text', 'Markdown.'), lang, rows: 24, required: true })}
      {textField(field('reason', 'Reason', 'Why you change it; stored with the change, readers never see it.'))}
    </>
  );
}
