import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { addExamples } from '../../global-options.js';
import { idHelp } from '../../ids.js';
import { confirmErasure, type ErasedView } from '../../person/erase-person.js';
import { personServices } from '../../person/person-services.js';
import { count } from '../../print/count.js';
import { findErasure, openErasures } from './find.js';

export function addErasureConfirm(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('confirm')
    .description('confirm the erasure that another staff member asked for, and do it. Safe to repeat')
    .argument('<id>', idHelp)
    .action(
      handle(async (session, word: string) => {
        const services = personServices(session);
        const id = await findErasure(services, word);
        await confirm(session, 'Erase this person? It cannot be undone.', async () => {
          const asked = (await openErasures(services)).find((each) => each.id === id);
          if (asked === undefined) return 'This erasure is not open.';
          const work = asked.with_work ? 'Published work is deleted too.' : 'Published work stays without its name.';
          return `${asked.asked_by} asks to erase ${asked.email}: ${asked.reason}\nIts tokens end; its requests, mails and contributions are deleted. ${work}`;
        });
        session.print.result(await confirmErasure(services, id), format);
      }),
    );
  addExamples(command, 'erasure confirm ID', 'erasure confirm ID --yes');
}

function format({ email, tokens, authorizations, contributions, anonymized }: ErasedView): string {
  const kept = `${count(anonymized, 'published one')} ${anonymized === 1 ? 'stays' : 'stay'} without a name`;
  const gone = `${count(tokens, 'token')}, ${count(authorizations, 'authorization request')}`;
  return `Erased ${email ?? 'this person'}: ${gone} and ${count(contributions, 'contribution')}; ${kept}.`;
}
