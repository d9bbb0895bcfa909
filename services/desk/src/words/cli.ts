import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { type PutGlossRequest, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { fromStatus } from '@knowledge/runtime/client';
import { bounds } from '@knowledge/runtime/product';
import { articleOf } from '../articles/cli-revisions.js';
import { DeskError } from '../base/desk-error.js';
import { presented } from '../base/presented.js';
import { callsOf, type Session } from '../base/session.js';
import type { Columns } from '../base/table.js';
import { count, formatDetails } from '../base/text.js';
import { requireField } from '../base/words.js';
import { putOutcomes } from '../files/put-result.js';
import { findObject } from '../objects/cli.js';
import { confirm } from '../terminal/ask.js';
import { command, eachNamed, group, result } from '../terminal/command-table.js';
import { dryRun, type Given, limit, reason, repeated, site } from '../terminal/options.js';
import { hasWord, readGloss, readSynonym, type SynonymView, synonymOf, synonymsYaml } from './words.js';

const words = callsOf('content', SearchWordsServiceService);

const text = { '<text>': "the article's name in URLs; with --object the object's id" } as const;

/** The options that say which text is meant. */
const which = {
  ...site('the site of the article; needed only where both sites have the slug'),
  '--object': 'the text is an object of the catalog, named by its id or the first characters of it',
} as const;

/** Finds the article with this slug, or the object with this id or its beginning. */
async function findText(
  session: Session,
  { text: word, site, object }: Given<typeof text & typeof which>,
): Promise<PutGlossRequest['text']> {
  if (object) return { $case: 'objectId', value: await findObject(session, word) };
  const { entry } = await articleOf(session, { slug: word, site });
  return { $case: 'article', value: { site: requireField(entry).site, slug: word } };
}

/** `knowledge gloss …`, for editors. */
export const gloss = group({
  commands: {
    put: result({
      about: 'set the English title and summary of a text in another language, or replace both',
      takes: {
        ...text,
        '--title <text>': { about: 'the English title', required: true },
        '--summary <text>': { about: 'the English summary', initial: '' },
        ...which,
        ...reason(),
      },
      run: async (session, given) => {
        const { text, title, summary, reason } = given;
        const request = {
          text: await findText(session, given),
          gloss: { title, summary },
          reason,
          validateOnly: false,
        };
        const { outcome } = await words(session).putGloss(request);
        return { text, title, summary, outcome: putOutcomes.fromWire(outcome) };
      },
      text: ({ text, outcome }) => `The gloss of ${text} is ${outcome}.`,
      examples: [
        'gloss put dyzury-w-zakladzie-produkcyjnym --title "IT on-call duty in a plant with three shifts"',
        'gloss put ID --object --title "A checklist for leaving a vendor" --summary "Twelve questions."',
      ],
    }),
    show: result({
      about: 'show the gloss of a text, and whether the text has changed since',
      takes: { ...text, ...which },
      run: async (session, given) => {
        const { gloss, ...found } = await words(session).getGloss({ text: await findText(session, given) });
        return { text: given.text, ...requireField(gloss), ...presented(found) };
      },
      text: (shown, paint) =>
        formatDetails(
          shown,
          {
            text: 'text',
            title: 'title',
            summary: 'summary',
            'changed, UTC': 'updated_at',
            by: 'updated_by',
            'revision of the text': ({ text_revision: now, written_for_revision: then }) =>
              `${now}${now > then ? `; the gloss is of ${then}` : ''}`,
          },
          paint,
        ),
      examples: ['gloss show dyzury-w-zakladzie-produkcyjnym'],
    }),
    delete: result({
      about: 'delete the gloss of a text; its words are not kept',
      takes: { ...text, ...which, ...reason() },
      run: async (session, given) => {
        const text = await findText(session, given);
        const { gloss } = await words(session).getGloss({ text });
        await confirm(session, `Delete the gloss of ${given.text}? Its words are not kept.`, gloss?.title);
        await words(session).putGloss({ text, gloss: undefined, reason: given.reason, validateOnly: false });
        return { text: given.text, state: 'deleted' };
      },
      text: ({ text }) => `The gloss of ${text} is deleted.`,
      examples: ['gloss delete dyzury-w-zakladzie-produkcyjnym --reason "the text is in English now"'],
    }),
    import: command({
      about:
        'import the glosses of a YAML file; safe to repeat. A list of entries with title and summary, and with slug and site of an ' +
        'article or the id of an object',
      takes: {
        '<file>': 'the file',
        ...site('the site of articles that do not name theirs'),
        ...dryRun,
        ...reason(),
      },
      run: async (session, { file, site, dryRun, reason }) => {
        const { runListImport } = await import('../files/run-list-import.js');
        const { putGloss, ready } = words(session);
        return runListImport(session, file, dryRun, {
          many: 'glosses',
          atOnce: 1,
          read: (fields) => readGloss(fields, site, reason),
          put: (requests, validateOnly) =>
            Promise.all(requests.map(async (each) => (await putGloss({ ...each, validateOnly })).outcome)),
          ready,
        });
      },
      examples: ['gloss import glosses.yaml', 'gloss import glosses.yaml --dry-run'],
    }),
  },
  examples: [
    'gloss put dyzury-w-zakladzie-produkcyjnym --title "IT on-call duty in a plant with three shifts"',
    'gloss import glosses.yaml --dry-run',
  ],
});

const columns: Columns<SynonymView> = {
  id: { value: 'id', neverCut: true },
  from: { value: (each) => each.from.join(', '), dropPriority: 3 },
  words: { value: (each) => each.words.join(', '), flexible: 20 },
  'changed, UTC': { value: 'updated_at', dropPriority: 1 },
  by: { value: 'updated_by', dropPriority: 2 },
};

/** `knowledge synonym …`, for editors. */
export const synonym = group({
  commands: {
    list: command({
      about: 'list the groups of synonyms, oldest first',
      takes: {
        '--word <text>': 'only groups with a word that contains this text, in upper or lower case',
        ...limit,
      },
      run: async (session, { word = '', limit }) => {
        const { synonyms } = await words(session).listSynonyms({});
        const found = synonyms.map(presented).filter((group) => hasWord(group, word));
        const none = word === '' ? 'No groups of synonyms.' : `No group of synonyms has ${word}.`;
        const cut = limit !== undefined && limit < found.length;
        session.print.list(found.slice(0, limit), columns, { one: 'group', none, cut });
      },
      examples: ['synonym list', 'synonym list --word sso --json'],
    }),
    put: result({
      about: 'create a group of synonyms, or replace all of its words; search uses it within a second',
      takes: {
        '<id>': 'the name of the group: a-z, 0-9 and hyphens',
        '<words...>': 'a search for one of these words or phrases finds all of them',
        '--from <word>': {
          about:
            'a search for it also finds the words, and not the other way round (for ambiguous acronyms); may be repeated',
          ...repeated,
        },
        ...reason(),
      },
      run: async (session, { reason, ...group }) => {
        const request = { synonym: synonymOf(group), reason, validateOnly: false };
        const { synonym, outcome } = await words(session).putSynonym(request);
        return { ...presented(requireField(synonym)), outcome: putOutcomes.fromWire(outcome) };
      },
      text: (now, _, { id }) => `The group ${id} is ${now.outcome}: ${now.words.join(', ')}`,
      examples: [
        'synonym put sso SSO "single sign-on" Einmalanmeldung',
        'synonym put ad "Active Directory" --from AD --reason "AD is also the year"',
      ],
    }),
    delete: eachNamed({
      about: 'delete groups of synonyms; their words are not kept',
      takes: { '<id...>': 'the names of the groups', ...reason() },
      calls: words,
      question: ({ id }) => `Delete ${count(id.length, 'group')} of synonyms? Their words are not kept.`,
      preview: async (session, { id: ids }) => {
        const { synonyms } = await words(session).listSynonyms({});
        const found = synonyms.filter(({ id }) => ids.includes(id));
        return found.map(({ id, words }) => `${id}: ${words.join(', ')}`).join('\n');
      },
      run: async (session, id, { reason }) => {
        await words(session).deleteSynonym({ id, reason });
        return { id, state: 'deleted' };
      },
      text: ({ id }) => `The group ${id} is deleted.`,
      examples: ['synonym delete sso --reason "two different things"'],
    }),
    import: command({
      about:
        'import the groups of a YAML file; safe to repeat. A list of entries with words, from (optional) and id (optional; ' +
        'without it the first word names the group). Groups that the file does not name stay',
      takes: { '<file>': 'the file', ...dryRun, ...reason() },
      run: async (session, { file, dryRun, reason }) => {
        const { runListImport } = await import('../files/run-list-import.js');
        const calls = words(session);
        return runListImport(session, file, dryRun, {
          many: 'groups',
          atOnce: bounds.synonymsAtOnce.max,
          read: readSynonym,
          put: async (synonyms, validateOnly) => {
            const { results } = await calls.putSynonyms({ synonyms: [...synonyms], validateOnly, reason });
            return results.map(({ result }) => {
              const { $case, value } = requireField(result);
              return $case === 'outcome' ? value : fromStatus(value);
            });
          },
          ready: calls.ready,
        });
      },
      examples: ['synonym import synonyms.yaml', 'synonym import synonyms.yaml --dry-run'],
    }),
    export: result({
      about: 'write all groups of synonyms to a YAML file, as "synonym import" reads it',
      takes: { '<file>': 'the file; it is replaced if it exists' },
      run: async (session, { file }) => {
        const { synonyms } = await words(session).listSynonyms({});
        try {
          writeFileSync(resolve(session.host.cwd, file), synonymsYaml(synonyms));
        } catch (error) {
          const { code } = error as NodeJS.ErrnoException;
          throw new DeskError('file_error', `${file} cannot be written (${code}).`, { cause: error });
        }
        return { exported: synonyms.length };
      },
      text: ({ exported }, _, { file }) => `${exported} exported to ${file}`,
      examples: ['synonym export synonyms.yaml'],
    }),
  },
  examples: ['synonym list --word SSO', 'synonym put sso SSO "single sign-on"', 'synonym import synonyms.yaml'],
});
