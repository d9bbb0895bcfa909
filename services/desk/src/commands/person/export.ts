import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { exportPerson } from '../../person/export-person.js';
import { personMarkdown } from '../../person/person-markdown.js';
import { personServices } from '../../person/person-services.js';
import { terminalSafeJson } from '../../print/terminal-safe.js';

export function addPersonExport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('export')
    .description('print all data of a person')
    .requiredOption('--email <address>', 'the e-mail of the person, in upper or lower case')
    .requiredOption('--reason <text>', 'why; stored with your name')
    .addOption(
      new Option('--format <format>', 'json for programs, markdown for people').choices(formats).default('json'),
    )
    .action(
      handle(async (session, { email, reason, format }: { email: string; reason: string; format: string }) => {
        const data = await exportPerson(personServices(session), email, reason);
        session.print.result(data, (all) => (format === 'markdown' ? personMarkdown(all) : terminalSafeJson(all, 2)));
      }),
    );
  addExamples(
    command,
    'person export --email ada@example.org --reason "asked for by letter" > ada.json',
    'person export --email ada@example.org --format markdown --reason "asked for by letter" > ada.md',
  );
}

const formats = ['json', 'markdown'];
