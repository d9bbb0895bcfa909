import {
  type CommunityObject,
  ContentServiceService,
  type ObjectEntry,
  ObjectKind,
} from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { requireField, sites } from '../base/words.js';
import {
  buttonRow,
  type Cells,
  confirmPage,
  facts,
  filterForm,
  formField,
  hasRole,
  linkButton,
  moreLink,
  pageIn,
  partOf,
  type StaffMember,
  selectField,
  shownText,
  showPage,
  siteField,
  siteTitle,
  sourceText,
  staffOf,
  stateMark,
  strange,
  tableOf,
  timeOf,
  titled,
  titleLink,
  type WebDesk,
  words,
} from '../pages/index.js';
import { objectMarkdown } from './object-file.js';
import { objectKinds, presentObject } from './present.js';
import { objectPath, objectsPath, registerObjectForms, requireOwn } from './web-edit.js';

/** Registers the pages for the objects of the catalog. Editors write those of their own. */
export function registerObjects(app: FastifyInstance, { calls }: WebDesk): void {
  const content = calls('content', ContentServiceService);
  const editorial = calls('content', EditorialServiceService);

  const read = async (request: FastifyRequest) =>
    requireField((await content(request).getObject({ id: partOf(request) })).object);

  // What the catalog of a site shows, newest first: objects of the editors, and published contributions.
  showPage(app, objectsPath, async (request) => {
    const asked = formField(request.query, 'site');
    const site = sites.words.includes(asked) ? asked : (sites.words[0] ?? '');
    const filter = { site, kind: formField(request.query, 'kind') };
    const wire = { site: sites.toWire(site), kind: objectKinds.toWire(filter.kind) };
    const list = { ...wire, ...pageIn(request) };
    const { entries, nextPageToken } = await content(request).listObjects(list);
    const kinds = [['', 'all'] as const, ...objectKinds.words.map((kind) => [kind, words(kind)] as const)];
    return titled(
      'Objects',
      <>
        <p>
          What the catalog shows: texts of editors (knowledge), and contributions that moderators published. Only
          published objects exist; one that was withdrawn is gone.
        </p>
        {hasRole(staffOf(request), 'editor') && <p>{linkButton(`${objectsPath}/new`, 'Write an object')}</p>}
        {filterForm(
          objectsPath,
          'Show',
          siteField(filter.site),
          selectField({ name: 'kind', label: 'Kind', value: filter.kind, choices: kinds }),
        )}
        {tableOf('Objects', entries, cells, 'There are no such objects.')}
        {moreLink('More objects', objectsPath, filter, nextPageToken)}
      </>,
    );
  });

  showPage(app, `${objectsPath}/:id`, async (request) => objectPage(await read(request), staffOf(request)));

  confirmPage(app, `${objectsPath}/:id/withdraw`, {
    roles: ['editor'],
    async ask(request) {
      const object = requireOwn(await read(request));
      const { id, title } = requireField(object.entry);
      return {
        title: `Withdraw: ${title}`,
        warning:
          'Readers lose it at once, and its text is deleted. To bring it back, somebody must write or import it again.',
        shown: [<p>Keep this file if it may be needed again:</p>, sourceText(objectMarkdown(object))],
        button: 'Withdraw',
        back: objectPath(id),
      };
    },
    async change(request, reason) {
      await editorial(request).withdrawObject({ id: partOf(request), reason });
      return objectsPath;
    },
  });

  registerObjectForms(app, editorial, read);
}

const cells: Cells<ObjectEntry> = {
  Title: ({ id, title }) => titleLink(objectPath(id), title),
  Kind: ({ kind }) => words(objectKinds.fromWire(kind)),
  By: 'author',
  Published: 'publishedAt',
  Changed: 'updatedAt',
};

/** One object of the catalog, and what a staff member can do with it. */
function objectPage({ entry: sent, body, prompt }: CommunityObject, staff: Pick<StaffMember, 'roles'>) {
  const entry = requireField(sent);
  const object = presentObject(entry);
  const isOwn = entry.kind === ObjectKind.KNOWLEDGE;
  return titled(
    entry.title,
    <>
      {facts({
        State: stateMark(object.state),
        Kind: words(object.kind),
        Site: siteTitle(object.site),
        Id: <code>{entry.id}</code>,
        Answers: strange(prompt?.question),
        Author: strange(entry.author),
        Language: entry.language,
        Published: timeOf(entry.publishedAt),
        Changed: timeOf(entry.updatedAt),
        'Edited by a moderator': timeOf(entry.editedAt),
        Length: `about ${entry.readingTokens} tokens`,
      })}
      {isOwn &&
        hasRole(staff, 'editor') &&
        buttonRow(
          linkButton(objectPath(entry.id, 'edit'), 'Edit'),
          linkButton(objectPath(entry.id, 'withdraw'), 'Withdraw'),
        )}
      {!isOwn && contributionNotice(entry.id, hasRole(staff, 'moderator'))}
      {shownText(entry, body)}
    </>,
    { back: [`${objectsPath}?site=${object.site}`, 'Objects'], heading: <bdi>{entry.title}</bdi> },
  );
}

function contributionNotice(id: string, isModerator: boolean) {
  const who = 'Moderators correct or retract it';
  return (
    <p class="notice">
      This is a published contribution. {isModerator ? <a href={`/queue/${encodeURIComponent(id)}`}>{who}</a> : who}.
    </p>
  );
}
