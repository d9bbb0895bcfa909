import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { idHelp } from '../../ids.js';
import { reasonOption } from '../../options.js';
import { cancelErasure } from '../../person/erase-person.js';
import { personServices } from '../../person/person-services.js';
import { findErasure } from './find.js';

export function addErasureCancel(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('cancel')
    .description('cancel an erasure that waits for a second person')
    .argument('<id>', idHelp)
    .addOption(reasonOption('why; stored with your name'))
    .action(
      handle(async (session, word: string, { reason }: { reason: string }) => {
        const services = personServices(session);
        const cancelled = await cancelErasure(services, await findErasure(services, word), reason);
        session.print.result(cancelled, ({ id }) => `The erasure ${id} is cancelled; nothing was erased.`);
      }),
    );
  addExamples(command, 'erasure cancel ID --reason "the wrong address"');
}
