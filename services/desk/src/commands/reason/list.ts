import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { decisions, presentReason, type ReasonView } from '../../present/reason.js';
import type { Column } from '../../print/table.js';

export function addReasonList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list the reasons that moderators can choose, in their order')
    .addOption(new Option('--for <decision>', 'only those for this decision').choices(decisions))
    .action(
      handle(async (session, { for: wanted }: { for?: string }) => {
        const client = session.connect('contributions', ReasonServiceService);
        const { reasons } = await client.listReasons({}, session.callContext());
        const views = reasons.map(presentReason);
        const found = views.filter((each) => wanted === undefined || each.decisions.includes(wanted));
        session.print.list(found, columns, { one: 'reason', none: 'No reasons.', cut: false });
      }),
    );
  addExamples(command, 'reason list', 'reason list --for reject --json');
}

const columns: readonly Column<ReasonView>[] = [
  { header: 'id', value: (each) => each.id, neverCut: true },
  { header: 'for', value: (each) => each.decisions.join(', '), dropPriority: 1 },
  { header: 'words', value: (each) => each.words, flexible: true, minWidth: 30 },
  { header: 'order', value: (each) => each.order, alignRight: true, dropPriority: 2 },
];
