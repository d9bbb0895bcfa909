import { type CommunityObject, ContentServiceService, ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { few, finder, idsHelp } from '../base/ids.js';
import { callsOf } from '../base/session.js';
import { type Columns, idColumn } from '../base/table.js';
import { count, formatDetails, formatText, type Lines, type Paint } from '../base/text.js';
import { requireField, sites } from '../base/words.js';
import { command, eachNamed, group, readListPages } from '../terminal/command-table.js';
import { dryRun, limit, reason, site } from '../terminal/options.js';
import { readObject } from './object-file.js';
import { type ObjectView, objectKinds, presentObject } from './present.js';

const content = callsOf('content', ContentServiceService);
const editorial = callsOf('content', EditorialServiceService);

/** Finds the id of a published object of either site by the first characters of the id. */
export const findObject = finder('object of the catalog', content, async ({ listObjects }, idPrefix) => {
  const any = { ...few, kind: ObjectKind.UNSPECIFIED, idPrefix };
  const found = sites.words.map((site) => listObjects({ ...any, site: sites.toWire(site) }));
  return (await Promise.all(found)).flatMap(({ entries }) => entries);
});

const columns: Columns<ObjectView> = {
  ...idColumn,
  kind: 'kind',
  site: 'site',
  title: { value: 'title', flexible: 24 },
  by: { value: 'author', flexible: true, dropPriority: 2 },
  'published, UTC': { value: 'published_at', dropPriority: 1 },
};

/** `knowledge object …`, for editors. */
export const object = group({
  commands: {
    import: command({
      about:
        'import and publish every .md file of a directory and the directories below it; safe to repeat. Front matter ' +
        '(YAML): id (a UUID of yours), kind, title, summary, author, language, published_at, site',
      takes: {
        '<dir>': 'the directory',
        ...site('the site of files that do not name theirs'),
        ...dryRun,
        ...reason(),
      },
      run: async (session, { dir, dryRun, ...given }) => {
        const { runImport } = await import('../files/run-import.js');
        const client = editorial(session);
        return runImport(session, dir, dryRun, {
          read: (document) => readObject(document, given),
          put: (request, validateOnly) => client.putObject({ ...request, validateOnly }),
          ready: client.ready,
        });
      },
      examples: ['object import ./objects --site org'],
    }),
    list: command({
      about: 'list what the catalog shows, newest first: knowledge objects and published contributions',
      takes: {
        ...site('only this site (default: both, one after the other)'),
        '--kind <kind>': { about: 'only this kind', choices: objectKinds.words },
        ...limit,
      },
      run: async (session, { site, kind, limit = Number.POSITIVE_INFINITY }) => {
        const found: ObjectView[] = [];
        let cut = false;
        for (const each of site === undefined ? sites.words : [site]) {
          const left = limit - found.length;
          if (left === 0) {
            if (!cut) session.print.note(`--limit ended the list before ${each}.`);
            cut = true;
            break;
          }
          const filter = { site: sites.toWire(each), kind: objectKinds.toWire(kind) };
          const read = await readListPages(
            session,
            (page) => content(session).listObjects({ ...filter, ...page }),
            ({ entries }) => entries.map(presentObject),
            { limit: left },
          );
          found.push(...read.items);
          cut ||= read.cut;
        }
        session.print.list(found, columns, { one: 'object', cut });
      },
      examples: ['object list --site org', 'object list --kind story --json'],
    }),
    show: eachNamed({
      about: 'show objects of the catalog with their bodies',
      takes: { '<id...>': `${idsHelp}; a published contribution keeps its id` },
      find: findObject,
      run: async (session, id) => presentDetail(requireField((await content(session).getObject({ id })).object)),
      text: formatObject,
      between: '\n\n\n',
      examples: ['object show ID', 'object show ID --json'],
    }),
    withdraw: eachNamed({
      about:
        'take knowledge objects out of the catalog; their texts are deleted, and only an import of their files brings them back',
      takes: { '<id...>': idsHelp, ...reason() },
      find: findObject,
      question: ({ id }) => `Withdraw ${count(id.length, 'object')}? Only an import of its file brings one back.`,
      preview: async (session, { id: ids }) => {
        const found = await Promise.all(ids.map((id) => content(session).getObject({ id })));
        return found.map(({ object }) => `${object?.entry?.id.slice(0, 8)}: ${object?.entry?.title}`).join('\n');
      },
      run: async (session, id, { reason }) => {
        await editorial(session).withdrawObject({ id, reason });
        return { id, state: 'withdrawn' };
      },
      text: ({ id }) => `${id} is withdrawn.`,
      examples: ['object withdraw ID --reason "superseded"'],
    }),
  },
  examples: ['object import ./objects --site org', 'object list --site org', 'object withdraw ID'],
});

function presentDetail({ entry, body, prompt }: CommunityObject) {
  return { ...presentObject(requireField(entry)), body, body_format: 'markdown' as const, prompt: prompt ?? null };
}

function formatObject(object: ReturnType<typeof presentDetail>, paint: Paint) {
  return formatDetails(object, lines, paint) + formatText('Body', object.body, paint);
}

const lines: Lines<ReturnType<typeof presentDetail>> = {
  id: 'id',
  kind: 'kind',
  site: 'site',
  state: 'state',
  title: 'title',
  by: 'author',
  language: 'language',
  answers: ({ prompt }) => prompt?.question,
  'published, UTC': 'published_at',
  'updated, UTC': 'updated_at',
  'edited, UTC': 'edited_at',
  'reading tokens': 'reading_tokens',
};
