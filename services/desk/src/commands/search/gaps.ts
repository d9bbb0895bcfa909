import { SearchCountServiceService, type SearchGap } from '@knowledge/proto/knowledge/content/v1/search_counts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import type { Column } from '../../print/table.js';

const mostGaps = 200;

export function addSearchGaps(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('gaps')
    .description(
      'list what readers searched in the last 30 days and did not find, or did not read: the largest gaps first; only ' +
        'searches of five different readers and more in a week, in estimated numbers of readers',
    )
    .addOption(new Option('--limit <n>', 'show at most this many').argParser(parseLimit).default(50))
    .action(
      handle(async (session, { limit }: { limit: number }) => {
        const client = session.connect('content', SearchCountServiceService);
        const { gaps } = await client.listSearchGaps({ limit }, session.callContext());
        const none = 'No search of five different readers yet.';
        session.print.list(gaps.map(presentGap), columns, { one: 'search', many: 'searches', none, cut: true });
      }),
    );
  addExamples(command, 'search gaps', 'search gaps --limit 200 --json');
}

function parseLimit(value: string): number {
  const limit = /^\d{1,3}$/.test(value) ? Number(value) : 0;
  if (limit < 1 || limit > mostGaps) throw new InvalidArgumentError(`Give a whole number from 1 to ${mostGaps}.`);
  return limit;
}

function presentGap({ words, readers, notFound, notRead }: SearchGap) {
  return { words, readers, not_found: notFound, not_read: notRead };
}

const columns: readonly Column<ReturnType<typeof presentGap>>[] = [
  { header: 'words', value: (each) => each.words, flexible: true, minWidth: 20 },
  { header: 'readers', value: (each) => each.readers, alignRight: true },
  { header: 'found nothing', value: (each) => each.not_found, alignRight: true },
  { header: 'read nothing', value: (each) => each.not_read, alignRight: true },
];
