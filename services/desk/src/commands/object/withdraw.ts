import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';

export function addObjectWithdraw(parent: Command, act: Act): void {
  const command = parent
    .command('withdraw')
    .description('take a knowledge object out of the catalog; importing it again brings it back')
    .argument('<id>', 'its UUID')
    .addOption(reasonOption())
    .action(
      act(async (session, id: string, { reason }: { reason: string }) => {
        const editorial = session.connect('content', EditorialServiceService);
        await editorial.withdrawObject({ id, reason }, session.call());
        session.print.thing({ id, state: 'withdrawn' }, () => `${id} is withdrawn.`);
      }),
    );
  addExamples(command, 'object withdraw ID --reason "superseded"');
}
