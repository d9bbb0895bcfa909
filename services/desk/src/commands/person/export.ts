import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { terminalSafeJson } from '../../print/terminal-safe.js';

// A person may have a lot of data, so this call has more time than others.
const limits = { deadlineMs: 30_000 };

export function addPersonExport(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('export')
    .description('print all data of a person, as JSON')
    .requiredOption('--email <address>', 'the e-mail of the person, in upper or lower case')
    .requiredOption('--reason <text>', 'why; stored with your name')
    .action(
      handle(async (session, { email, reason }: { email: string; reason: string }) => {
        const grants = session.connect('identity', GrantAdminServiceService, limits);
        const moderation = session.connect('contributions', ModerationServiceService, limits);
        const [identity, contributions] = await Promise.all([
          grants.exportPerson({ email, reason }, session.callContext()),
          moderation.exportContributor({ email, reason }, session.callContext()),
        ]);
        const data = {
          id: email,
          state: 'exported',
          exported_at: new Date().toISOString(),
          identity: identity.data ?? {},
          contributions: contributions.data ?? {},
        };
        session.print.result(data, (all) => terminalSafeJson(all, 2));
      }),
    );
  addExamples(command, 'person export --email ada@example.org --reason "asked for by letter" > ada.json');
}
