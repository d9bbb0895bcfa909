import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, resolveIds } from '../../ids.js';
import { lookReasonOption } from '../../options.js';
import { endedByWords } from '../../present/token.js';
import { presentTokenRecord, type TokenRecordView } from '../../present/token-record.js';
import { formatHistory } from '../../present/transition.js';
import { formatDetails } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { findTokenId } from './find.js';

export function addTokenShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show tokens without their secrets: human, scopes, last use, who ended them and why, and their mails')
    .argument('<id...>', `${idsHelp} (not the tokens)`)
    .addOption(lookReasonOption())
    .action(
      handle(async (session, words: string[], { reason }: { reason: string }) => {
        const grants = session.connect('identity', GrantAdminServiceService);
        const ids = await resolveIds(words, (word) => findTokenId(session, grants, word));
        const read = async (id: string) =>
          presentTokenRecord(await grants.getTokenRecord({ id, reason }, session.callContext()));
        await forEachNamed(session, ids, read, { text: format, between: '\n\n\n' });
      }),
    );
  addExamples(command, 'token show ID', 'token show ID --reason "asked by mail" --json');
}

function format(token: TokenRecordView, paint: Paint): string {
  const { authorization: request } = token;
  const facts = formatDetails(
    [
      ['id', token.id],
      ['state', token.state],
      ['e-mail', token.email],
      ['agent', token.agent_name],
      ['scopes', token.scopes.join(' ') || 'none: it only reads'],
      ['made, UTC', readableTime(token.created_at)],
      ['last used, UTC', token.last_used_at === null ? 'never' : readableTime(token.last_used_at)],
      ['ends, UTC', token.state === 'active' ? readableTime(token.expires_at) : null],
      ['ended, UTC', token.state === 'active' ? null : readableTime(token.revoked_at ?? token.expires_at)],
      ['ended by', endedByWords(token.ended_by)],
      ['request', request?.id ?? null],
      ['purpose', request?.purpose ?? null],
      ['site', request?.site ?? null],
      ['asked, UTC', readableTime(request?.created_at ?? null)],
      ['decided, UTC', readableTime(request?.decided_at ?? null)],
      ['asked from', request?.client_address ?? null],
      ['client id', request?.client_id ?? null],
    ],
    paint,
  );
  return facts + formatHistory(token.history, paint, request?.mails);
}
