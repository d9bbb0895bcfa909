import { ReasonServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { distinct } from '../../ids.js';

export function addReasonDelete(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('delete')
    .description('delete reasons; decisions that used them keep the words')
    .argument('<id...>', 'the names of the reasons')
    .action(
      handle(async (session, given: string[]) => {
        const client = session.connect('contributions', ReasonServiceService);
        const remove = async (id: string) => {
          await client.deleteReason({ id }, session.callContext());
          return { id, state: 'deleted' };
        };
        await forEachNamed(session, distinct(given), remove, { text: ({ id }) => `The reason ${id} is deleted.` });
      }),
    );
  addExamples(command, 'reason delete advertisement');
}
