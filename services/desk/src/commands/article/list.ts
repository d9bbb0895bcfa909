import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Command, Option } from 'commander';
import type { Act } from '../../act.js';
import { readPages } from '../../connection/pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption, siteOption } from '../../options.js';
import { type ArticleView, articleStates, presentArticle } from '../../present/article.js';
import type { Column } from '../../print/table.js';
import { readableTime } from '../../print/time.js';
import { sites } from '../../words.js';

interface Options {
  site?: string;
  state?: string;
  limit?: number;
}

export function addArticleList(parent: Command, act: Act): void {
  const command = parent
    .command('list')
    .description('list articles in any state, last changed first')
    .addOption(siteOption('only this site'))
    .addOption(new Option('--state <state>', 'only this state').choices(articleStates.words))
    .addOption(limitOption())
    .action(
      act(async (session, { site, state, limit }: Options) => {
        const editorial = session.connect('content', EditorialServiceService);
        const filter = { site: sites.value(site), state: articleStates.value(state) };
        const records = await readPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await editorial.listArticleRecords({ ...filter, pageSize, pageToken }, session.call());
          return { items: page.articles, nextPageToken: page.nextPageToken };
        });
        session.print.list(records.items.map(presentArticle), columns, { one: 'article', cut: records.cut });
      }),
    );
  addExamples(command, 'article list --site org --state draft', 'article list --json --site io');
}

const columns: readonly Column<ArticleView>[] = [
  { header: 'site', value: (each) => each.site },
  { header: 'state', value: (each) => each.state, state: true },
  { header: 'title', value: (each) => each.title, flexible: true, least: 20 },
  { header: 'published, UTC', value: (each) => readableTime(each.published_at), optional: 1 },
  { header: 'rev', value: (each) => each.revision, right: true, optional: 2 },
  { header: 'slug', value: (each) => each.slug, whole: true },
];
