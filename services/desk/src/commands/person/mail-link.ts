import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { addExamples } from '../../global-options.js';
import { siteOption } from '../../options.js';
import { personServices } from '../../person/person-services.js';
import { sendAccessLink } from '../../person/send-access-link.js';

export function addPersonMailLink(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('mail-link')
    .description('mail a person the link to the access page, within the limits that hold for people too')
    .requiredOption('--email <address>', 'the e-mail of the person, in upper or lower case')
    .addOption(siteOption('the site whose page the link opens').default('org'))
    .requiredOption('--reason <text>', 'why; stored with your name')
    .action(
      handle(async (session, options: { email: string; site: string; reason: string }) => {
        await confirm(session, `Mail ${options.email} a link to their access page?`);
        await sendAccessLink(personServices(session), options);
        const result = { id: options.email, state: 'mailed' };
        session.print.result(result, ({ id }) => `A mail with the link is on its way to ${id}.`);
      }),
    );
  addExamples(command, 'person mail-link --email ada@example.org --reason "lost the mail" --yes');
}
