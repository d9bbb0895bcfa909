import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { deadlineIn } from '@knowledge/runtime/client';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { addExamples } from '../../global-options.js';
import { count } from '../../print/count.js';
import { connectTimeoutMs } from '../../session.js';

const limits = { deadlineMs: 30_000 };

export function addPersonErase(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('erase')
    .description('delete the data of a person; published work stays, without the name. Safe to repeat')
    .requiredOption('--email <address>', 'the e-mail of the person, in upper or lower case')
    .requiredOption('--reason <text>', 'why; stored with your name')
    .option('--with-work', 'retract and delete published work too')
    .action(
      handle(
        async (session, { email, reason, withWork = false }: { email: string; reason: string; withWork?: boolean }) => {
          const work = withWork ? 'Published work is deleted too.' : 'Published work stays without its name.';
          await confirm(
            session,
            `Erase ${email}: its tokens end; its requests, mails and contributions are deleted. ${work} This cannot be undone.`,
          );
          const grants = session.connect('identity', GrantAdminServiceService, limits);
          const moderation = session.connect('contributions', ModerationServiceService, limits);
          // Both services must respond before the erasure begins, because half an erasure must be repeated.
          await Promise.all([grants, moderation].map((client) => client.ready(deadlineIn(connectTimeoutMs))));
          // The tokens end first, so that no new contribution arrives during the erasure.
          const { authorizations, tokens } = await grants.erasePerson({ email, reason }, session.callContext());
          const { deleted, anonymized } = await moderation.eraseContributor(
            { email, withWork, reason },
            session.callContext(),
          );
          const result = { id: email, state: 'erased', tokens, authorizations, contributions: deleted, anonymized };
          session.print.result(result, () => {
            const kept = `${count(anonymized, 'published one')} ${anonymized === 1 ? 'stays' : 'stay'} without a name`;
            const grantsGone = `${count(tokens, 'token')}, ${count(authorizations, 'authorization request')}`;
            return `Erased ${email}: ${grantsGone} and ${count(deleted, 'contribution')}; ${kept}.`;
          });
        },
      ),
    );
  addExamples(
    command,
    'person erase --email ada@example.org --reason "asked for by letter"',
    'person erase --email ada@example.org --with-work --reason "asked for by letter" --yes',
  );
}
