import { type ArticleReads, SearchCountServiceService } from '@knowledge/proto/knowledge/content/v1/search_counts';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { siteOption } from '../../options.js';
import type { Column } from '../../print/table.js';
import { sites } from '../../words.js';

export function addSearchMostRead(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('most-read')
    .description('list the articles that were read most in the last 30 days')
    .addOption(siteOption('only articles of this site'))
    .action(
      handle(async (session, { site }: { site?: string }) => {
        const client = session.connect('content', SearchCountServiceService);
        const request = { site: sites.toWire(site), limit: 50 };
        const { articles } = await client.listMostRead(request, session.callContext());
        const none = 'No article was read in the last 30 days.';
        session.print.list(articles.map(presentReads), columns, { one: 'article', many: 'articles', none, cut: true });
      }),
    );
  addExamples(command, 'search most-read', 'search most-read --site io --json');
}

function presentReads({ site, slug, reads }: ArticleReads) {
  return { site: sites.fromWire(site), slug, reads };
}

const columns: readonly Column<ReturnType<typeof presentReads>>[] = [
  { header: 'site', value: (each) => each.site },
  { header: 'slug', value: (each) => each.slug, flexible: true, minWidth: 20 },
  { header: 'reads', value: (each) => each.reads, alignRight: true },
];
