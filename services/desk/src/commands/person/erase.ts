import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { askForErasure } from '../../person/erase-person.js';
import { personServices } from '../../person/person-services.js';
import { readableTime } from '../../print/time.js';

export function addPersonErase(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('erase')
    .description('ask for the erasure of a person; another staff member confirms it with "erasure confirm"')
    .requiredOption('--email <address>', 'the e-mail of the person, in upper or lower case')
    .requiredOption('--reason <text>', 'why; stored with your name until the erasure is done')
    .option('--with-work', 'retract and delete published work too; without it, it stays without the name')
    .action(
      handle(
        async (session, { withWork = false, ...options }: { email: string; reason: string; withWork?: boolean }) => {
          const asked = await askForErasure(personServices(session), { ...options, withWork });
          session.print.result(asked, ({ id, email, lapses_at }) =>
            [
              `Nothing is erased yet: another staff member must confirm the erasure of ${email}.`,
              `They run: knowledge erasure confirm ${id}`,
              `The request lapses at ${readableTime(lapses_at)} UTC.`,
            ].join('\n'),
          );
        },
      ),
    );
  addExamples(
    command,
    'person erase --email ada@example.org --reason "asked for by letter"',
    'person erase --email ada@example.org --with-work --reason "asked for by letter"',
  );
}
