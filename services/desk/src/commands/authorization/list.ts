import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption, lookReasonOption } from '../../options.js';
import { authorizationColumns, authorizationStates, presentAuthorization } from '../../present/authorization.js';

interface Options {
  email?: string;
  state?: string;
  limit?: number;
  reason: string;
}

export function addAuthorizationList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list authorization requests, newest first')
    .option('--email <address>', 'only of this e-mail, in upper or lower case')
    .addOption(new Option('--state <state>', 'only this state').choices(authorizationStates.words))
    .addOption(limitOption())
    .addOption(lookReasonOption())
    .action(
      handle(async (session, { email = '', state, limit, reason }: Options) => {
        const grants = session.connect('identity', GrantAdminServiceService);
        const filter = { email, state: authorizationStates.toWire(state), reason };
        const records = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await grants.listAuthorizations({ ...filter, pageSize, pageToken }, session.callContext());
          return { items: page.authorizations, nextPageToken: page.nextPageToken };
        });
        session.print.list(records.items.map(presentAuthorization), authorizationColumns, {
          one: 'authorization request',
          cut: records.cut,
        });
      }),
    );
  addExamples(command, 'authorization list --email ada@example.org', 'authorization list --state pending --limit 20');
}
