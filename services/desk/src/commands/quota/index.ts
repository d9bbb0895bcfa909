import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { Argument, type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { readQuota, resetQuota } from '../../person/read-quota.js';
import { formatQuota } from '../../present/quota.js';
import { addQuotaLimits } from './limits.js';
import { addSetCeiling } from './set-ceiling.js';
import { parseSubject } from './subject.js';

const commands = [
  { name: 'show', description: 'show what a reader or writer has left', act: readQuota, mandatory: false },
  { name: 'reset', description: 'give a subject all its allowances back', act: resetQuota, mandatory: true },
] as const;

/** Adds the commands `knowledge quota …`, which support uses. */
export function addQuotaCommands(group: Command, handle: CommandHandler): void {
  for (const { name, description, act, mandatory } of commands) {
    const command = group
      .command(name)
      .description(description)
      .addArgument(new Argument('<subject>', 'client:ID, email:ADDRESS or address:IP').argParser(parseSubject))
      .addOption(
        new Option('--reason <text>', 'why; stored with your name and the hash of the subject').makeOptionMandatory(
          mandatory,
        ),
      )
      .action(
        handle(async (session, subject: string, { reason = '' }: { reason?: string }) => {
          const quota = session.connect('quota', QuotaAdminServiceService);
          const calls = { quota, call: () => session.callContext() };
          session.print.result(await act(calls, subject, reason), formatQuota);
        }),
      );
    const why = mandatory ? ' --reason "counted twice"' : '';
    addExamples(command, `quota ${name} client:readme-tour${why}`, `quota ${name} email:ada@example.org${why}`);
  }
  addQuotaLimits(group, handle);
  addSetCeiling(group, handle);
  addExamples(
    group,
    'quota limits',
    'quota show client:readme-tour',
    'quota reset address:192.0.2.7 --reason "counted twice"',
  );
}
