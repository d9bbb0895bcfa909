import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { rules } from '@knowledge/runtime/product';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { resolveIds } from '../../ids.js';
import { reasonOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { presentToken } from '../../present/token.js';
import { count } from '../../print/count.js';
import type { Session } from '../../session.js';
import { findTokenId, type GrantsClient } from './find.js';

interface Options {
  reason: string;
  keepWaiting?: boolean;
}

export function addTokenRevoke(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('revoke')
    .description(
      `end tokens; they are refused everywhere within ${rules.revocationSeconds} seconds, and their humans get a mail`,
    )
    .argument(
      '<id...>',
      'their ids (not the tokens), as "token list" shows them, or the first characters of each (at least 4)',
    )
    .option('--keep-waiting', 'keep their contributions that wait for review; without it, these are withdrawn')
    .addOption(reasonOption('why; stored with your name, and mailed to the person'))
    .action(
      handle(async (session, words: string[], { reason, keepWaiting = false }: Options) => {
        const grants = session.connect('identity', GrantAdminServiceService);
        const ids = await resolveIds(words, (word) => findTokenId(session, grants, word));
        await ask(session, grants, ids, keepWaiting);
        const revoke = async (tokenId: string) => {
          const { token } = await grants.revokeTokenById({ tokenId, reason, keepWaiting }, session.callContext());
          return presentToken(requireField(token));
        };
        await forEachNamed(session, ids, revoke, {
          text: (now) => `The token ${now.id} of ${now.email} is ${now.state}.`,
        });
      }),
    );
  addExamples(
    command,
    'token revoke ID --reason "leaked in a ticket"',
    'token revoke ID ID --reason "leaked in a ticket" --yes',
  );
}

async function ask(
  session: Session,
  grants: GrantsClient,
  ids: readonly string[],
  keepWaiting: boolean,
): Promise<void> {
  const work = keepWaiting ? 'Their contributions stay.' : 'Their contributions that wait for review are withdrawn.';
  const what = `Revoke ${count(ids.length, 'token')}? ${work} This cannot be undone.`;
  await confirm(session, what, async () => {
    const found = await Promise.all(ids.map((id) => grants.getTokenRecord({ id }, session.callContext())));
    return found
      .map(({ token }) => presentToken(requireField(token)))
      .map(({ id, state, agent_name, email }) =>
        state === 'active'
          ? `${id.slice(0, 8)} of "${agent_name}": ${email} gets a mail that its access ended`
          : `${id.slice(0, 8)} of "${agent_name}" for ${email} is ${state} already`,
      )
      .join('\n');
  });
}
