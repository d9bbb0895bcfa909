import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, resolveIds } from '../../ids.js';
import { supportReasonOption } from '../../options.js';
import { type AuthorizationView, presentAuthorization } from '../../present/authorization.js';
import { requireField } from '../../present/require-field.js';
import { count } from '../../print/count.js';
import { findAuthorizationId } from './find.js';

export function addAuthorizationCancel(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('cancel')
    .description('cancel pending requests; their mailed links stop working, and nobody gets a mail')
    .argument('<id...>', idsHelp)
    .addOption(supportReasonOption())
    .action(
      handle(async (session, words: string[], { reason }: { reason: string }) => {
        const grants = session.connect('identity', GrantAdminServiceService);
        const ids = await resolveIds(words, (word) => findAuthorizationId(session, grants, word));
        const what = `Cancel ${count(ids.length, 'request')}? Nobody can say yes any more. This cannot be undone.`;
        await confirm(session, what, async () => {
          const found = await Promise.all(
            ids.map((id) => grants.getAuthorizationRecord({ id }, session.callContext())),
          );
          return found.map(({ authorization }) => line(presentAuthorization(requireField(authorization)))).join('\n');
        });
        const cancel = async (id: string) => {
          const { authorization } = await grants.cancelAuthorization({ id, reason }, session.callContext());
          return presentAuthorization(requireField(authorization));
        };
        await forEachNamed(session, ids, cancel, {
          text: (now) => `The request ${now.id} to ${now.email} is cancelled.`,
        });
      }),
    );
  addExamples(
    command,
    'authorization cancel ID --reason "never asked for"',
    'authorization cancel ID ID --reason "never asked for" --yes',
  );
}

function line({ id, agent_name, email, state }: AuthorizationView): string {
  return `${id.slice(0, 8)}, ${state}: "${agent_name}" asks ${email}`;
}
