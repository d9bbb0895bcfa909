import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, resolveIds } from '../../ids.js';
import { lookReasonOption } from '../../options.js';
import { type AuthorizationView, presentAuthorization } from '../../present/authorization.js';
import { requireField } from '../../present/require-field.js';
import { formatHistory } from '../../present/transition.js';
import { formatDetails } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { findAuthorizationId } from './find.js';

export function addAuthorizationShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show authorization requests with their history and their mails')
    .argument('<id...>', idsHelp)
    .addOption(lookReasonOption())
    .action(
      handle(async (session, words: string[], { reason }: { reason: string }) => {
        const grants = session.connect('identity', GrantAdminServiceService);
        const ids = await resolveIds(words, (word) => findAuthorizationId(session, grants, word));
        const read = async (id: string) => {
          const { authorization } = await grants.getAuthorizationRecord({ id, reason }, session.callContext());
          return presentAuthorization(requireField(authorization));
        };
        await forEachNamed(session, ids, read, { text: format, between: '\n\n\n' });
      }),
    );
  addExamples(command, 'authorization show ID', 'authorization show ID ID --json');
}

function format(record: AuthorizationView, paint: Paint): string {
  const facts = formatDetails(
    [
      ['id', record.id],
      ['state', record.state],
      ['e-mail', record.email],
      ['agent', record.agent_name],
      ['scopes', record.scopes.join(' ') || 'none: it only reads'],
      ['purpose', record.purpose],
      ['site', record.site],
      ['user code', record.user_code],
      ['asked, UTC', readableTime(record.created_at)],
      ['ends, UTC', readableTime(record.expires_at)],
      ['decided, UTC', readableTime(record.decided_at)],
      ['token', record.token_id],
      ['asked from', record.client_address],
      ['client id', record.client_id],
    ],
    paint,
  );
  return facts + formatHistory(record.history, paint, record.mails);
}
