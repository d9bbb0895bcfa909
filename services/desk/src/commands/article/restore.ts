import { EditorialServiceService, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import { findArticle } from '../../actions/article/find-article.js';
import { scheduleLoss } from '../../actions/article/schedule-loss.js';
import { type ArticleView, presentArticle } from '../../article/present-article.js';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import type { ArticleText } from '../../difference/article-difference.js';
import { addExamples } from '../../global-options.js';
import { reasonOption, revisionOption, siteOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { count } from '../../print/count.js';
import { plain } from '../../print/paint.js';
import { enumWords } from '../../words.js';
import { readRevision } from './read-revision.js';

interface Options {
  site?: string;
  revision: number;
  reason: string;
}

/** How many lines of the difference are shown before the question. */
const shownLines = 60;

export function addArticleRestore(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('restore')
    .description('put the text of an earlier revision back, as a new revision; state and published_at stay as they are')
    .argument('<slug>', 'its name in URLs')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .addOption(revisionOption('the revision whose text comes back').makeOptionMandatory())
    .addOption(reasonOption())
    .action(
      handle(async (session, slug: string, { site, revision, reason }: Options) => {
        const editorial = session.connect('content', EditorialServiceService);
        const record = await findArticle(editorial, session, slug, site);
        const entry = requireField(record.entry);
        const old = await readRevision(editorial, session, entry, revision);
        const changes = await describeChanges({ entry, body: record.body }, old);
        const now = presentArticle(record);
        // Nothing is asked before a call that changes nothing.
        if (changes !== undefined)
          await confirm(session, [question(now, revision), scheduleLoss(record)].join(' ').trim(), changes);
        const request = { site: entry.site, slug, revision, reason, expectedRevision: now.revision };
        const { article, outcome } = await editorial.restoreArticleRevision(request, session.callContext());
        const after = presentArticle(requireField(article));
        const result = { ...after, outcome: outcomes.fromWire(outcome), restored_revision: revision };
        session.print.result(result, () =>
          outcome === PutOutcome.UNCHANGED
            ? `${slug} on ${after.site} has the text of revision ${revision} already.`
            : `${slug} on ${after.site} is ${after.state} and has revision ${after.revision} now, with the text of revision ${revision}.`,
        );
      }),
    );
  addExamples(
    command,
    'article restore rolling-out-sso --revision 3',
    'article restore rolling-out-sso --site org --revision 3 --reason "the figures were right" --yes',
  );
}

function question({ title, site, state, revision: present }: ArticleView, revision: number): string {
  const readers = state === 'published' ? ' Readers get that text at once.' : '';
  return `Put the text of revision ${revision} of "${title}" on ${site} back, in place of revision ${present} (${state}).${readers}`;
}

/** Shows what a restoration changes; undefined if it is nothing. The time of publication stays as it is. */
async function describeChanges(now: ArticleText, old: ArticleText): Promise<string | undefined> {
  const { articleDifference, isEqual } = await import('../../difference/article-difference.js');
  const { formatDifference } = await import('../../difference/format-difference.js');
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

const outcomes = enumWords(PutOutcome);
