import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import { type ArticleDetail, presentArticleDetail } from '../../article/present-article.js';
import type { CommandHandler } from '../../command-handler.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { distinct } from '../../ids.js';
import { siteOption } from '../../options.js';
import { formatHistory } from '../../present/transition.js';
import { formatDetails, formatText } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { findArticle } from './find.js';

export function addArticleShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show articles with their bodies and their history')
    .argument('<slug...>', 'their names in URLs')
    .addOption(siteOption('their site; needed only where both sites have the slug'))
    .action(
      handle(async (session, slugs: string[], { site }: { site?: string }) => {
        const editorial = session.connect('content', EditorialServiceService);
        const read = async (slug: string) => presentArticleDetail(await findArticle(editorial, session, slug, site));
        await forEachNamed(session, distinct(slugs), read, { text: format, between: '\n\n\n' });
      }),
    );
  addExamples(command, 'article show rolling-out-sso', 'article show rolling-out-sso --site org --json');
}

function format({ body, body_format: _, history, created_at: __, ...article }: ArticleDetail, paint: Paint): string {
  const { slug, site, state, title, summary, tags, author, language, ...more } = article;
  const { published_at, updated_at, word_count, revision, ...others } = more;
  const facts = formatDetails(
    [
      ...Object.entries({ slug, site, state, title, summary, tags: tags.join(', '), author, language }),
      ['published, UTC', readableTime(published_at)],
      ['updated, UTC', readableTime(updated_at)],
      ['words', word_count],
      ['revision', revision],
      // Fields without a line above are shown under their own name.
      ...Object.entries(others).map(([name, value]) => [name.replaceAll('_', ' '), String(value)] as const),
    ],
    paint,
  );
  return facts + formatHistory(history, paint) + formatText('Body', body, paint);
}
