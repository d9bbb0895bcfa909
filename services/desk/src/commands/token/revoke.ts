import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Command } from 'commander';
import { confirm } from '../../confirm.js';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { required } from '../../present/required.js';
import { presentToken } from '../../present/token.js';

export function addTokenRevoke(parent: Command, act: Act): void {
  const command = parent
    .command('revoke')
    .description('end a token; it is refused everywhere within 5 seconds')
    .argument('<id>', 'its id (not the token), as "token list" shows it')
    .option('--keep-waiting', 'leave what it sent and nobody has reviewed; otherwise that is withdrawn')
    .addOption(reasonOption())
    .action(
      act(async (session, id: string, { reason, keepWaiting = false }: { reason: string; keepWaiting?: boolean }) => {
        await confirm(session, `Revoke the token ${id}: its agent must ask its human again. This cannot be undone.`);
        const grants = session.connect('identity', GrantAdminServiceService);
        const { token } = await grants.revokeTokenById({ tokenId: id, reason, keepWaiting }, session.call());
        session.print.thing(
          presentToken(required(token)),
          (now) => `The token ${now.id} of ${now.email} is ${now.state}.`,
        );
      }),
    );
  addExamples(command, 'token revoke ID --reason "leaked in a ticket"', 'token revoke ID --yes');
}
