import type { Html } from '@knowledge/runtime/html';
import { lookedUp, type PersonView } from '../../person/person.js';
import { formBlock } from '../forms/blocks.js';
import { checkField, selectField } from '../forms/fields.js';
import type { Shown } from '../layout/send-page.js';
import { siteChoices } from '../layout/values.js';
import { blockSection } from './block-section.js';
import { erasureTable } from './erasure-table.js';
import { reasonField } from './forms.js';
import { limitsSection } from './limits-section.js';
import { noticeOf } from './notices.js';
import { contributionTable, mailTable, requestTable, tokenTable } from './person-tables.js';

interface PersonFacts {
  readonly person: PersonView;
  /** The path of this page, which the forms begin with. */
  readonly path: string;
  readonly csrf: string;
  readonly actor: string;
  readonly done: string;
  /** The day whose mails are shown, for example `2026-06-01`; empty for all. */
  readonly day: string;
}

/** Everything that support needs to know about a person, and what it can do. */
export function personPage({ person, path, csrf, actor, done, day }: PersonFacts): Shown {
  const { id, quota, agents, erasures } = person;
  const main = (
    <>
      <h1>
        <bdi>{id}</bdi>
      </h1>
      <p class="soft">{lookedUp}</p>
      {noticeOf(done)}
      {erasures.length > 0 && erasureTable(erasures, csrf, actor)}
      {contributionTable(person, path)}
      {mailTable(person, path, day)}
      {tokenTable(person, path, csrf)}
      <p>
        <a href={`${path}/issue`}>Issue a token</a>
      </p>
      {requestTable(person, path, csrf)}
      {blockSection(person.block, path, csrf)}
      {limitsSection('What is left with a token', quota, `${path}/limits`, csrf)}
      {agents.map((agent) => limitsSection(`What is left for ${agent.id}`, agent, `${path}/limits`, csrf))}
      <h2>For this person</h2>
      {linkForm(path, csrf)}
      {exportForm(path, csrf)}
      {erasures.length === 0 && erasureForm(path, csrf)}
    </>
  );
  return { title: 'Person', main };
}

function linkForm(path: string, csrf: string): Html {
  return formBlock({
    action: `${path}/link`,
    csrf,
    title: 'Send the access link anew',
    button: 'Send the mail',
    about:
      'The mail opens the page where this person sees and ends accesses. It counts against the limits of the mailbox.',
    children: (
      <>
        {selectField({ name: 'site', id: 'link-site', label: 'Site', choices: siteChoices, value: 'org' })}
        {reasonField('link-reason')}
      </>
    ),
  });
}

function exportForm(path: string, csrf: string): Html {
  return formBlock({
    action: `${path}/export`,
    csrf,
    title: 'Export everything',
    button: 'Download',
    about: 'All that is stored about this person, as a file. Who exported it is stored too.',
    children: (
      <>
        {selectField({ name: 'format', id: 'export-format', label: 'Format', choices: formatChoices })}
        {reasonField('export-reason')}
      </>
    ),
  });
}

function erasureForm(path: string, csrf: string): Html {
  return formBlock({
    action: `${path}/erasure`,
    csrf,
    title: 'Ask for the erasure',
    button: 'Ask for the erasure',
    about: 'Nothing is erased before another staff member confirms it. The request lapses after seven days.',
    children: (
      <>
        {checkField({
          name: 'with_work',
          label: 'Delete published work too; otherwise it stays without the name',
        })}
        {reasonField('erasure-reason')}
      </>
    ),
  });
}

const formatChoices = [
  ['markdown', 'Markdown, for people'],
  ['json', 'JSON, for programs'],
] as const;
