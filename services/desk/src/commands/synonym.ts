import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { callsOf } from '../calls-of.js';
import { command, eachNamed, group, result } from '../command-table.js';
import { DeskError } from '../desk-error.js';
import { importLimits } from '../import/import-limits.js';
import { putOutcomes } from '../import/put-result.js';
import { dryRun, limit, reason, repeated } from '../options.js';
import { requireField } from '../present/require-field.js';
import { count } from '../print/count.js';
import type { Column } from '../print/table.js';
import { readableTime } from '../print/time.js';
import { hasWord } from '../search-words/has-word.js';
import { presentSynonym, readSynonym, type SynonymView, synonymPut } from '../search-words/synonym-entry.js';

const words = callsOf('content', SearchWordsServiceService);
const importedWords = callsOf('content', SearchWordsServiceService, importLimits);

const columns: readonly Column<SynonymView>[] = [
  { header: 'id', value: 'id', neverCut: true },
  { header: 'from', value: (each) => each.from.join(', '), dropPriority: 3 },
  { header: 'words', value: (each) => each.words.join(', '), flexible: true, minWidth: 20 },
  { header: 'changed, UTC', value: (each) => readableTime(each.updated_at), dropPriority: 1 },
  { header: 'by', value: 'updated_by', dropPriority: 2 },
];

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
        const found = synonyms.map(presentSynonym).filter((group) => hasWord(group, word));
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
        const request = { ...synonymPut(group, reason), validateOnly: false };
        const { synonym, outcome } = await words(session).putSynonym(request);
        return { ...presentSynonym(requireField(synonym)), outcome: putOutcomes.fromWire(outcome) };
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
        const { runListImport } = await import('../import/run-list-import.js');
        const { putSynonym, ready } = importedWords(session);
        return runListImport(session, file, dryRun, {
          many: 'groups',
          read: (fields) => readSynonym(fields, reason),
          put: (request, validateOnly) => putSynonym({ ...request, validateOnly }),
          ready,
        });
      },
      examples: ['synonym import synonyms.yaml', 'synonym import synonyms.yaml --dry-run'],
    }),
    export: result({
      about: 'write all groups of synonyms to a YAML file, as "synonym import" reads it',
      takes: { '<file>': 'the file; it is replaced if it exists' },
      run: async (session, { file }) => {
        const { synonymsYaml } = await import('../search-words/synonyms-yaml.js');
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
