import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption } from '../../options.js';
import { personServices } from '../../person/person-services.js';
import { erasureColumns, presentErasure } from '../../present/erasure.js';

export function addErasureList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list the erasures that wait for a second person or are not finished, oldest first')
    .option('--all', 'also those of the last 30 days that are done or cancelled')
    .addOption(limitOption())
    .action(
      handle(async (session, { all = false, limit }: { all?: boolean; limit?: number }) => {
        const { erasures, call } = personServices(session);
        const found = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await erasures.listErasures({ all, email: '', pageSize, pageToken }, call());
          return { items: page.erasures, nextPageToken: page.nextPageToken };
        });
        session.print.list(found.items.map(presentErasure), erasureColumns, {
          one: 'erasure',
          none: 'No erasure waits for a second person.',
          cut: found.cut,
        });
      }),
    );
  addExamples(command, 'erasure list', 'erasure list --all --json');
}
