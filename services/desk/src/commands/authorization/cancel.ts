import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Command } from 'commander';
import { confirm } from '../../confirm.js';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { presentAuthorization } from '../../present/authorization.js';
import { required } from '../../present/required.js';

export function addAuthorizationCancel(parent: Command, act: Act): void {
  const command = parent
    .command('cancel')
    .description('end a request that waits for its human; its mailed links decide nothing any more')
    .argument('<id>', 'its UUID')
    .addOption(reasonOption())
    .action(
      act(async (session, id: string, { reason }: { reason: string }) => {
        await confirm(session, `Cancel the request ${id}: nobody can say yes to it any more. This cannot be undone.`);
        const grants = session.connect('identity', GrantAdminServiceService);
        const { authorization } = await grants.cancelAuthorization({ id, reason }, session.call());
        session.print.thing(
          presentAuthorization(required(authorization)),
          (now) => `The request ${now.id} to ${now.email} is ${now.state}.`,
        );
      }),
    );
  addExamples(command, 'authorization cancel ID --reason "never asked for"');
}
