import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption, lookReasonOption } from '../../options.js';
import { presentToken, tokenColumns } from '../../present/token.js';

export function addTokenList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list the tokens of an e-mail, newest first, ended ones included while they are kept')
    .requiredOption('--email <address>', 'the e-mail of the human, in upper or lower case')
    .addOption(limitOption())
    .addOption(lookReasonOption())
    .action(
      handle(async (session, { email, limit, reason }: { email: string; limit?: number; reason: string }) => {
        const grants = session.connect('identity', GrantAdminServiceService);
        const tokens = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await grants.listTokens({ email, pageSize, pageToken, reason }, session.callContext());
          return { items: page.tokens, nextPageToken: page.nextPageToken };
        });
        const now = Date.now();
        session.print.list(
          tokens.items.map((token) => presentToken(token, now)),
          tokenColumns,
          { one: 'token', none: `${email} has no tokens.`, cut: tokens.cut },
        );
      }),
    );
  addExamples(command, 'token list --email ada@example.org');
}
