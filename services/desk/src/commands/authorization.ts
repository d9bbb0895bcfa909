import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { callsOf } from '../calls-of.js';
import { eachNamed, group, list } from '../command-table.js';
import { idsHelp, resolveId } from '../ids.js';
import { limit, lookReason, supportReason } from '../options.js';
import {
  type AuthorizationView,
  authorizationColumns,
  authorizationStates,
  presentAuthorization,
} from '../present/authorization.js';
import { requireField } from '../present/require-field.js';
import { formatHistory } from '../present/transition.js';
import { count } from '../print/count.js';
import { formatDetails } from '../print/details.js';
import type { Paint } from '../print/paint.js';
import { readableTime } from '../print/time.js';
import type { Session } from '../session.js';

const grants = callsOf('identity', GrantAdminServiceService);

function findAuthorization(session: Session, word: string): Promise<string> {
  const { listAuthorizations } = grants(session);
  const page = { email: '', state: AuthorizationState.UNSPECIFIED, pageSize: 10, pageToken: '' };
  const find = async (idPrefix: string) => {
    const { authorizations } = await listAuthorizations({ ...page, idPrefix });
    return authorizations.map(({ authorization }) => requireField(authorization));
  };
  return resolveId(word, find, 'authorization request');
}

/** `knowledge authorization …`, for support. */
export const authorization = group({
  commands: {
    list: list({
      about: 'list authorization requests, newest first',
      takes: {
        '--email <address>': 'only of this e-mail, in upper or lower case',
        '--state <state>': { about: 'only this state', choices: authorizationStates.words },
        ...limit,
        ...lookReason,
      },
      run: async (session, { email = '', state, reason }, page) => {
        const asked = { email, state: authorizationStates.toWire(state), reason, ...page };
        const { authorizations, nextPageToken } = await grants(session).listAuthorizations(asked);
        return { items: authorizations.map(presentAuthorization), nextPageToken };
      },
      columns: authorizationColumns,
      one: 'authorization request',
      examples: ['authorization list --email ada@example.org', 'authorization list --state pending --limit 20'],
    }),
    show: eachNamed({
      about: 'show authorization requests with their history and their mails',
      takes: { '<id...>': idsHelp, ...lookReason },
      find: findAuthorization,
      run: async (session, id, { reason }) => {
        const { authorization } = await grants(session).getAuthorizationRecord({ id, reason });
        return presentAuthorization(requireField(authorization));
      },
      text: formatAuthorization,
      between: '\n\n\n',
      examples: ['authorization show ID', 'authorization show ID ID --json'],
    }),
    cancel: eachNamed({
      about: 'cancel pending requests; their mailed links stop working, and nobody gets a mail',
      takes: { '<id...>': idsHelp, ...supportReason },
      find: findAuthorization,
      question: ({ id }) =>
        `Cancel ${count(id.length, 'request')}? Nobody can say yes any more. This cannot be undone.`,
      preview: async (session, { id: ids }) => {
        const found = await Promise.all(ids.map((id) => grants(session).getAuthorizationRecord({ id })));
        return found
          .map(({ authorization }) => presentAuthorization(requireField(authorization)))
          .map(({ id, agent_name, email, state }) => `${id.slice(0, 8)}, ${state}: "${agent_name}" asks ${email}`)
          .join('\n');
      },
      run: async (session, id, { reason }) => {
        const { authorization } = await grants(session).cancelAuthorization({ id, reason });
        return presentAuthorization(requireField(authorization));
      },
      text: ({ id, email }) => `The request ${id} to ${email} is cancelled.`,
      examples: [
        'authorization cancel ID --reason "never asked for"',
        'authorization cancel ID ID --reason "never asked for" --yes',
      ],
    }),
  },
  examples: ['authorization list --state pending', 'authorization show ID'],
});

function formatAuthorization(record: AuthorizationView, paint: Paint): string {
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
