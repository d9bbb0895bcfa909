import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { commonWords, type GroupView, presentGroup, ruleHint } from '../../present/group-words.js';
import { count } from '../../print/count.js';
import type { Column } from '../../print/table.js';

export function addReviewGroups(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('groups')
    .description('show what waiting contributions have in common: a wave of texts is one line')
    .action(
      handle(async (session) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const { groups, more = 0, held } = await moderation.listContributionGroups({}, session.callContext());
        const labels = { one: 'group', none: 'No five of those that wait have anything in common.', cut: more > 0 };
        session.print.list(groups.map(presentGroup), columns, labels);
        const { note } = session.print;
        if (more > 0) note(`${count(more, 'smaller group')} more: they show when these are decided.`);
        const hint = groups.map(ruleHint).find((each) => each !== undefined);
        if (hint !== undefined) note(hint);
        for (const { groupId, contributions, actor, takesEffectAt } of held) {
          const until = takesEffectAt?.toISOString().slice(11, 19);
          note(
            `${actor} rejected ${count(contributions, 'text')}. Until ${until} UTC this takes all back: knowledge review undo --group ${groupId}`,
          );
        }
      }),
    );
  addExamples(
    command,
    'review groups',
    'review list --group link:example.org',
    'review list --group none',
    'review reject-group link:example.org@2026-11-26T08:00:00.000Z --reason "It is an advertisement." --end-agents',
  );
}

const columns: readonly Column<GroupView>[] = [
  { header: 'texts', value: ({ contributions }) => contributions, alignRight: true },
  { header: 'humans', value: ({ humans }) => humans, alignRight: true },
  { header: 'they', value: ({ key }) => commonWords(key), flexible: true },
  { header: 'key', value: ({ key_at_time }) => key_at_time, neverCut: true },
];
