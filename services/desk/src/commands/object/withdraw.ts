import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, resolveIds } from '../../ids.js';
import { reasonOption } from '../../options.js';
import { count } from '../../print/count.js';
import { findObjectId } from './find.js';

export function addObjectWithdraw(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('withdraw')
    .description(
      'take knowledge objects out of the catalog; their texts are deleted, and only an import of their files brings them back',
    )
    .argument('<id...>', idsHelp)
    .addOption(reasonOption())
    .action(
      handle(async (session, words: string[], { reason }: { reason: string }) => {
        const content = session.connect('content', ContentServiceService);
        const editorial = session.connect('content', EditorialServiceService);
        const ids = await resolveIds(words, (word) => findObjectId(session, content, word));
        await confirm(
          session,
          `Withdraw ${count(ids.length, 'object')}? Only an import of its file brings one back.`,
          async () => {
            const found = await Promise.all(ids.map((id) => content.getObject({ id }, session.callContext())));
            return found.map(({ object }) => `${object?.entry?.id.slice(0, 8)}: ${object?.entry?.title}`).join('\n');
          },
        );
        const withdraw = async (id: string) => {
          await editorial.withdrawObject({ id, reason }, session.callContext());
          return { id, state: 'withdrawn' };
        };
        await forEachNamed(session, ids, withdraw, { text: ({ id }) => `${id} is withdrawn.` });
      }),
    );
  addExamples(command, 'object withdraw ID --reason "superseded"');
}
