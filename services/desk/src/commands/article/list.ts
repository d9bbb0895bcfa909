import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Command, Option } from 'commander';
import { type ArticleView, articleStates, presentArticle } from '../../article/present-article.js';
import { noticeWords } from '../../article/present-draft.js';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption, siteOption } from '../../options.js';
import type { Column } from '../../print/table.js';
import { readableTime } from '../../print/time.js';
import { sites } from '../../words.js';

interface Options {
  site?: string;
  state?: string;
  find?: string;
  tag?: string;
  byTitle?: boolean;
  missed?: boolean;
  limit?: number;
}

export function addArticleList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list articles in any state, last changed first')
    .addOption(siteOption('only this site'))
    .addOption(new Option('--state <state>', 'only this state').choices(articleStates.words))
    .option('--find <words>', 'only those that have each of these words in the title or slug')
    .option('--tag <tag>', 'only those with this tag')
    .option('--missed', 'only those whose next revision lost its time, since the article changed first')
    .option('--by-title', 'sort by title')
    .addOption(limitOption())
    .action(
      handle(async (session, { site, state, find: query, limit, ...filters }: Options) => {
        const editorial = session.connect('content', EditorialServiceService);
        const filter = { site: sites.toWire(site), state: articleStates.toWire(state), query, ...filters };
        const records = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await editorial.listArticleRecords({ ...filter, pageSize, pageToken }, session.callContext());
          return { items: page.articles, nextPageToken: page.nextPageToken };
        });
        session.print.list(records.items.map(presentArticle), columns, { one: 'article', cut: records.cut });
      }),
    );
  addExamples(
    command,
    'article list --site org --state draft',
    'article list --find rollout --tag sso',
    'article list --missed',
  );
}

const columns: readonly Column<ArticleView>[] = [
  { header: 'site', value: (each) => each.site },
  { header: 'state', value: (each) => each.state, isState: true },
  { header: 'title', value: (each) => each.title, flexible: true, minWidth: 20 },
  { header: 'published, UTC', value: (each) => readableTime(each.published_at), dropPriority: 1 },
  { header: 'next, UTC', value: (each) => noticeWords(each.draft), dropPriority: 3 },
  { header: 'rev', value: (each) => each.revision, alignRight: true, dropPriority: 2 },
  { header: 'slug', value: (each) => each.slug, neverCut: true },
];
