import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import { findArticle } from '../../actions/article/find-article.js';
import { type ArticleDetail, presentArticleDetail } from '../../article/present-article.js';
import { noticeWords } from '../../article/present-draft.js';
import { changeOf, presentRevisionDetail, type RevisionDetail, readersOf } from '../../article/present-revision.js';
import type { CommandHandler } from '../../command-handler.js';
import { UsageError } from '../../desk-error.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { distinct } from '../../ids.js';
import { revisionOption, siteOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { formatHistory } from '../../present/transition.js';
import { formatDetails, formatText } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { readRevision } from './read-revision.js';

export function addArticleShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show articles with their bodies and their history')
    .argument('<slug...>', 'their names in URLs')
    .addOption(siteOption('their site; needed only where both sites have the slug'))
    .addOption(revisionOption('show one article as it was at this revision'))
    .action(
      handle(async (session, slugs: string[], { site, revision }: { site?: string; revision?: number }) => {
        const names = distinct(slugs);
        const editorial = session.connect('content', EditorialServiceService);
        if (revision === undefined) {
          const read = async (slug: string) => presentArticleDetail(await findArticle(editorial, session, slug, site));
          return forEachNamed(session, names, read, { text: format, between: '\n\n\n' });
        }
        const [slug = ''] = names;
        if (names.length > 1) throw new UsageError('Name one article with --revision.');
        const { entry } = await findArticle(editorial, session, slug, site);
        const found = await readRevision(editorial, session, requireField(entry), revision);
        session.print.result(presentRevisionDetail(found), formatRevision);
      }),
    );
  addExamples(
    command,
    'article show rolling-out-sso',
    'article show rolling-out-sso --site org --json',
    'article show rolling-out-sso --revision 2',
  );
}

function formatRevision({ change, ...article }: RevisionDetail, paint: Paint): string {
  const { actor, occurred_at, reason } = change;
  const made = [
    ['made, UTC', readableTime(occurred_at)],
    ['by', actor],
    ['why', reason],
    ['change', changeOf(change)],
    ['readers', readersOf(change) || 'never saw it'],
  ] as const;
  const { body, body_format: _, ...facts } = article;
  return formatDetails([...factLines(facts), ...made], paint) + formatText('Body', body, paint);
}

function format(detail: ArticleDetail, paint: Paint): string {
  const { body, body_format: _, history, created_at: __, draft, ...facts } = detail;
  const next: FactLine = ['next revision', [noticeWords(draft), draft?.missed_reason].filter(Boolean).join(': ')];
  return (
    formatDetails([...factLines(facts), next], paint) + formatHistory(history, paint) + formatText('Body', body, paint)
  );
}

type Facts = Omit<RevisionDetail, 'body' | 'body_format' | 'change'>;

function factLines({ slug, site, state, title, summary, tags, author, language, ...more }: Facts): FactLine[] {
  const { published_at, updated_at, word_count, revision, ...others } = more;
  return [
    ...Object.entries({ slug, site, state, title, summary, tags: tags.join(', '), author, language }),
    ['published, UTC', readableTime(published_at)],
    ['updated, UTC', readableTime(updated_at)],
    ['words', word_count],
    ['revision', revision],
    // Fields without a line above are shown under their own name.
    ...Object.entries(others).map(([name, value]): FactLine => [name.replaceAll('_', ' '), String(value)]),
  ];
}

type FactLine = readonly [label: string, value: string | number];
