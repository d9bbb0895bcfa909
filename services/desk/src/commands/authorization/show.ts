import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { type AuthorizationView, presentAuthorization } from '../../present/authorization.js';
import { required } from '../../present/required.js';
import { formatHistory } from '../../present/transition.js';
import { formatDetails } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';

export function addAuthorizationShow(parent: Command, act: Act): void {
  const command = parent
    .command('show')
    .description('show one authorization request with its history and its mails')
    .argument('<id>', 'its UUID')
    .action(
      act(async (session, id: string) => {
        const grants = session.connect('identity', GrantAdminServiceService);
        const { authorization } = await grants.getAuthorizationRecord({ id }, session.call());
        session.print.thing(presentAuthorization(required(authorization)), format);
      }),
    );
  addExamples(command, 'authorization show ID');
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
  return facts + formatHistory(record.history, record.mails);
}
