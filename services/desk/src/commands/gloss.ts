import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type PutGlossRequest, SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { findArticle } from '../actions/article/find-article.js';
import { callsOf } from '../calls-of.js';
import { command, group, result } from '../command-table.js';
import { confirm } from '../confirm.js';
import { importLimits } from '../import/import-limits.js';
import { putOutcomes } from '../import/put-result.js';
import { dryRun, reason, site } from '../options.js';
import { requireField } from '../present/require-field.js';
import { formatDetails } from '../print/details.js';
import { readableTime, timestamp } from '../print/time.js';
import { readGloss } from '../search-words/gloss-entry.js';
import type { Session } from '../session.js';
import { findObject } from './object.js';

const editorial = callsOf('content', EditorialServiceService);
const words = callsOf('content', SearchWordsServiceService);
const importedWords = callsOf('content', SearchWordsServiceService, importLimits);

const text = { '<text>': "the article's name in URLs; with --object the object's id" } as const;

/** The options that say which text is meant. */
const which = {
  ...site('the site of the article; needed only where both sites have the slug'),
  '--object': 'the text is an object of the catalog, named by its id or the first characters of it',
} as const;

interface NamedText {
  readonly text: string;
  readonly site: string | undefined;
  readonly object: boolean;
}

/** Finds the article with this slug, or the object with this id or its beginning. */
async function findText(session: Session, { text, site, object }: NamedText): Promise<PutGlossRequest['text']> {
  if (object) return { $case: 'objectId', value: await findObject(session, text) };
  const { entry } = await findArticle(editorial(session), session, text, site);
  return { $case: 'article', value: { site: requireField(entry).site, slug: text } };
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
        const found = await words(session).getGloss({ text: await findText(session, given) });
        const { title, summary } = requireField(found.gloss);
        return {
          text: given.text,
          title,
          summary,
          updated_by: found.updatedBy,
          updated_at: timestamp(found.updatedAt),
          written_for_revision: found.writtenForRevision,
          text_revision: found.textRevision,
        };
      },
      text: (shown, paint) => {
        const changed = shown.text_revision > shown.written_for_revision;
        const revision = `${shown.text_revision}${changed ? `; the gloss is of ${shown.written_for_revision}` : ''}`;
        return formatDetails(
          [
            ['text', shown.text],
            ['title', shown.title],
            ['summary', shown.summary],
            ['changed, UTC', readableTime(shown.updated_at)],
            ['by', shown.updated_by],
            ['revision of the text', revision],
          ],
          paint,
        );
      },
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
        const { runListImport } = await import('../import/run-list-import.js');
        const { putGloss, ready } = importedWords(session);
        return runListImport(session, file, dryRun, {
          many: 'glosses',
          read: (fields) => readGloss(fields, site, reason),
          put: (request, validateOnly) => putGloss({ ...request, validateOnly }),
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
