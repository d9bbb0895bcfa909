import type { ArticleEntry } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { hasCode } from '@knowledge/runtime/client';
import { patchOf } from '@knowledge/runtime/difference';
import { DeskError, UsageError } from '../base/desk-error.js';
import { formatDifference, isEqual } from '../base/difference.js';
import { callsOf, type Session } from '../base/session.js';
import type { Columns } from '../base/table.js';
import { count, plain, terminalSafeLine } from '../base/text.js';
import { requireField, sites } from '../base/words.js';
import { putOutcomes } from '../files/put-result.js';
import { confirm } from '../terminal/ask.js';
import { command, readListPages, result } from '../terminal/command-table.js';
import { type Given, limit, parseCount, reason, site } from '../terminal/options.js';
import { type ArticleText, articleDifference } from './difference.js';
import { findArticle, scheduleLoss } from './drafts.js';
import {
  type ArticleView,
  changeOf,
  presentArticle,
  presentRevision,
  type RevisionView,
  readersOf,
  revisionLine,
} from './present-article.js';

export const editorial = callsOf('content', EditorialServiceService);

/** How a command names one article. */
export const namedArticle = {
  '<slug>': 'its name in URLs',
  ...site('its site; needed only where both sites have the slug'),
} as const;

export type NamedArticle = Given<typeof namedArticle>;

export function articleOf(session: Session, { slug, site }: NamedArticle) {
  return findArticle(editorial(session), slug, site);
}

/**
 * Reads one revision of an article that exists.
 *
 * @throws DeskError `not_found` that says where the revisions are listed.
 */
export async function readRevision(
  session: Session,
  { site, slug, revision: present }: ArticleEntry,
  revision: number,
) {
  try {
    const found = await editorial(session).getArticleRevision({ site, slug, revision });
    return { ...found, entry: requireField(found.entry) };
  } catch (error) {
    if (!hasCode(error, 'not_found')) throw error;
    const which = `There is no revision ${revision} of ${slug}; it has ${present}.`;
    throw new DeskError('not_found', `${which} "knowledge article history ${slug}" lists them.`, { cause: error });
  }
}

/** Prints what changed between two texts, below a heading, or with `--json` as fields of the view. */
export function printDifference(
  session: Session,
  [before, after]: readonly [ArticleText, ArticleText],
  { view, heading, words }: { view: object; heading: string; words: boolean },
): void {
  const difference = articleDifference(before, after);
  const fields = difference.fields.map(({ block: _, ...field }) => field);
  session.print.result({ ...view, fields, body_patch: patchOf(difference.hunks) }, (_, paint) => {
    const changes = formatDifference(difference, words ? 'words' : 'lines', paint);
    return `${paint.quiet(terminalSafeLine(heading))}\n\n${changes}`;
  });
}

const columns: Columns<RevisionView> = {
  rev: 'revision',
  'when, UTC': 'occurred_at',
  who: { value: 'actor', flexible: 12 },
  change: { value: changeOf, flexible: 20 },
  readers: { value: readersOf, dropPriority: 2 },
  why: { value: 'reason', neverCut: true, dropPriority: 1 },
};

/** The most revisions that one call returns. */
const maxPageSize = 50;

export const history = command({
  about: 'list the revisions of an article, newest first: who changed what, when and why, and what readers saw',
  takes: { ...namedArticle, ...limit },
  run: async (session, { slug, site: wanted, limit }) => {
    const { site } = requireField((await articleOf(session, { slug, site: wanted })).entry);
    const { items, cut } = await readListPages(
      session,
      (page) => editorial(session).listArticleRevisions({ site, slug, ...page }),
      ({ revisions }) => revisions.map(presentRevision),
      { limit, maxPageSize },
    );
    session.print.list(items, columns, { one: 'revision', cut });
  },
  examples: [
    'article history rolling-out-sso',
    'article history rolling-out-sso --site org --limit 5',
    'article history rolling-out-sso --json',
  ],
});

export const diff = command({
  about: 'show what changed between two revisions of an article (without options: with the last one)',
  takes: {
    ...namedArticle,
    '--from <n>': { about: 'the earlier revision (default: the one before --to)', parse: parseCount },
    '--to <n>': { about: 'the later revision (default: the present one)', parse: parseCount },
    '--words': 'show changed words inside their lines, as [-removed-] and {+added+}',
  },
  run: async (session, { slug, site, words, ...given }) => {
    const entry = requireField((await articleOf(session, { slug, site })).entry);
    const { to = entry.revision } = given;
    const { from = to - 1 } = given;
    if (from < 1) throw new UsageError(`Revision ${to} is the first, so there is nothing to compare it with.`);
    const read = async (revision: number) => {
      const found = await readRevision(session, entry, revision);
      return { ...found, view: presentRevision(requireField(found.revision)) };
    };
    const [before, after] = await Promise.all([read(from), read(to)]);
    const view = { slug, site: sites.fromWire(entry.site), from: before.view, to: after.view };
    const heading = `${revisionLine(before.view)} → ${revisionLine(after.view)}`;
    printDifference(session, [before, after], { view, heading, words });
  },
  examples: [
    'article diff rolling-out-sso',
    'article diff rolling-out-sso --from 2 --to 5 --words',
    'article diff rolling-out-sso --from 2 --json',
  ],
});

export const restore = result({
  about: 'put the text of an earlier revision back, as a new revision; state and published_at stay as they are',
  takes: {
    ...namedArticle,
    '--revision <n>': { about: 'the revision whose text comes back', parse: parseCount, required: true },
    ...reason(),
  },
  run: async (session, { slug, site, revision, reason }) => {
    const record = await articleOf(session, { slug, site });
    const entry = requireField(record.entry);
    const old = await readRevision(session, entry, revision);
    const changes = describeChanges({ entry, body: record.body }, old);
    const now = presentArticle(record);
    // Nothing is asked before a call that changes nothing.
    if (changes !== undefined)
      await confirm(session, [question(now, revision), scheduleLoss(record)].join(' ').trim(), changes);
    const request = { site: entry.site, slug, revision, reason, expectedRevision: now.revision };
    const { article, outcome } = await editorial(session).restoreArticleRevision(request);
    const after = presentArticle(requireField(article));
    return { ...after, outcome: putOutcomes.fromWire(outcome), restored_revision: revision };
  },
  text: (now, _, { slug, revision }) =>
    now.outcome === 'unchanged'
      ? `${slug} on ${now.site} has the text of revision ${revision} already.`
      : `${slug} on ${now.site} is ${now.state} and has revision ${now.revision} now, with the text of revision ${revision}.`,
  examples: [
    'article restore rolling-out-sso --revision 3',
    'article restore rolling-out-sso --site org --revision 3 --reason "the figures were right" --yes',
  ],
});

function question({ title, site, state, revision: present }: ArticleView, revision: number) {
  const readers = state === 'published' ? ' Readers get that text at once.' : '';
  return `Put the text of revision ${revision} of "${title}" on ${site} back, in place of revision ${present} (${state}).${readers}`;
}

/** How many lines of the difference are shown before the question. */
const shownLines = 60;

/** Shows what a restoration changes; undefined if it is nothing. The time of publication stays as it is. */
function describeChanges(now: ArticleText, old: ArticleText) {
  const whole = articleDifference(now, old);
  const difference = { ...whole, fields: whole.fields.filter(({ field }) => field !== 'published_at') };
  if (isEqual(difference)) return undefined;
  const lines = formatDifference(difference, 'lines', plain).split('\n');
  const more = lines.length - shownLines;
  return [
    ...lines.slice(0, shownLines),
    ...(more > 0 ? [`… ${count(more, 'more line')}; see "article diff".`] : []),
  ].join('\n');
}
