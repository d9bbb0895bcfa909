import { SearchServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { parseCount, siteOption } from '../../options.js';
import { objectKinds } from '../../present/object.js';
import { sites } from '../../words.js';
import { formatHits, presentHit, presentResults } from './present-search.js';

interface Options {
  site?: string;
  kind?: string;
  language: string;
  tag: string;
  author: string;
  limit: number;
  passages?: boolean;
}

/** The most hits that one call returns. */
const maxPageSize = 50;

export function addSearchFind(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('find')
    .description(
      'find published articles and objects as readers find them, best first; little shows that a weak hit is about what was asked',
    )
    .argument('<word...>', 'what to find: words or a question, up to 500 characters')
    .addOption(siteOption('only this site (default: both)'))
    .addOption(new Option('--kind <kind>', 'only this kind').choices(['article', 'object', ...objectKinds.words]))
    .option('--language <tag>', 'only texts in this language, for example de', '')
    .option('--tag <tag>', 'only articles with this tag', '')
    .option('--author <name>', 'only texts by this author, in any case', '')
    .addOption(new Option('--limit <n>', 'show at most this many').argParser(parseCount).default(10))
    .option('--passages', 'show the best passage of each hit, and which words it has')
    .action(
      handle(async (session, words: string[], { site, kind = '', limit, passages = false, ...filter }: Options) => {
        const client = session.connect('content', SearchServiceService);
        const request = { ...filter, site: sites.toWire(site), kind, query: words.join(' '), passages: 0 };
        let results: ReturnType<typeof presentResults> | undefined;
        const read = async (pageSize: number, pageToken: string) => {
          const page = await client.search({ ...request, pageSize, pageToken }, session.callContext());
          results ??= presentResults(page, { kind, ...filter, query: request.query });
          return { items: page.hits.map(presentHit), nextPageToken: page.nextPageToken };
        };
        const { items: entries } = await readListPages(limit, session.print, read, maxPageSize);
        session.print.result({ ...results, entries }, (found, paint) => formatHits(found, passages, paint));
      }),
    );
  addExamples(
    command,
    'search find how did others roll out single sign-on',
    'search find restore --kind article --language de --passages',
    'search find mfa --site org --limit 50 --json',
  );
}
