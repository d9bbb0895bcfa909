import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import { Argument, type Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { formatQuota, presentQuota } from '../../present/quota.js';
import { type NamedSubject, parseSubject } from './subject.js';

const commands = [
  { name: 'show', description: 'show what a reader or writer has left', method: 'showSubject' },
  { name: 'reset', description: 'give a subject all its allowances back', method: 'resetSubject' },
] as const;

/** `knowledge quota …`, for support. */
export function addQuotaCommands(program: Command, act: Act): void {
  const group = program.command('quota').description('allowances: what a reader or writer has left today');
  for (const { name, description, method } of commands) {
    const command = group
      .command(name)
      .description(description)
      .addArgument(new Argument('<subject>', 'client:ID, email:ADDRESS or address:IP').argParser(parseSubject))
      .action(
        act(async (session, { kind, value, name: subject }: NamedSubject) => {
          const quota = session.connect('quota', QuotaAdminServiceService);
          const { allowances } = await quota[method]({ subject: { kind, value } }, session.call());
          session.print.thing(presentQuota(subject, allowances), formatQuota);
        }),
      );
    addExamples(command, `quota ${name} client:readme-tour`, `quota ${name} email:ada@example.org`);
  }
  addExamples(group, 'quota show client:readme-tour', 'quota reset address:192.0.2.7');
}
