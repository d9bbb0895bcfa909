import { text as readAll } from 'node:stream/consumers';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { ownTokenIn } from '@knowledge/runtime/client';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { DeskError, UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { lookReasonOption } from '../../options.js';
import { tokenHashOf } from '../../person/find-by-word.js';
import { presentToken, tokenColumns } from '../../present/token.js';

/** Adds the command that says whose a token is which somebody found. Only its hash leaves the terminal. */
export function addTokenFind(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('find')
    .description(
      'say whose a token is that somebody found: reads it from standard input, alone or in a text, and prints none',
    )
    .addOption(lookReasonOption())
    .action(
      handle(async (session, { reason }: { reason: string }) => {
        const token = ownTokenIn(await readAll(session.host.stdin));
        if (token === undefined)
          throw new UsageError('Standard input has no whole token of this service (cks_ and 49 letters or digits).');
        const asked = { email: '', pageSize: 1, pageToken: '', tokenHash: tokenHashOf(token), reason };
        const grants = session.connect('identity', GrantAdminServiceService);
        const [found] = (await grants.listTokens(asked, session.callContext())).tokens;
        if (found === undefined)
          throw new DeskError(
            'not_found',
            'It has the form of a token of ours, but none here: it is of another system, or erased.',
          );
        session.print.list(
          [presentToken(found)],
          [{ header: 'e-mail', value: (each) => each.email }, ...tokenColumns],
          {
            one: 'token',
            none: '',
          },
        );
      }),
    );
  addExamples(command, 'token find < leaked.txt');
}
