import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { type LimitView, limitValue, presentLimit, timesUsedUp } from '../../present/limit.js';
import type { Column } from '../../print/table.js';

export function addQuotaLimits(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('limits')
    .description('list the limits that hold, and how often each was used up in the last 30 days')
    .action(
      handle(async (session) => {
        const quota = session.connect('quota', QuotaAdminServiceService);
        const { limits } = await quota.listLimits({}, session.callContext());
        session.print.list(limits.map(presentLimit), columns, { one: 'limit', many: 'limits', none: 'No limits.' });
      }),
    );
  addExamples(command, 'quota limits', 'quota limits --json');
}

const columns: readonly Column<LimitView>[] = [
  { header: 'policy', value: (each) => each.policy },
  { header: 'counts per', value: (each) => each.counts.replace('_', ' ') },
  { header: 'limit', value: (each) => limitValue(each.limit), alignRight: true },
  { header: 'in a', value: (each) => each.window },
  { header: 'used up', value: timesUsedUp, alignRight: true },
  { header: 'set by', value: ({ ceiling }) => (ceiling === null ? '' : (ceiling.set_by ?? 'configuration')) },
];
