import { randomUUID } from 'node:crypto';
import { text as readAll } from 'node:stream/consumers';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { ownTokenIn } from '@knowledge/runtime/client';
import { rules } from '@knowledge/runtime/product';
import { InvalidArgumentError } from 'commander';
import { DeskError, UsageError } from '../base/desk-error.js';
import { few, finder, idsHelp } from '../base/ids.js';
import { callsOf } from '../base/session.js';
import type { Columns } from '../base/table.js';
import { count, formatDetails, type Lines, type Paint, textOf, type Value } from '../base/text.js';
import { readableTime } from '../base/time.js';
import { formatHistory } from '../base/transition.js';
import { requireField } from '../base/words.js';
import { confirm } from '../terminal/ask.js';
import { command, eachNamed, group, list } from '../terminal/command-table.js';
import { limit, lookReason, reason, requiredEmail, supportReason } from '../terminal/options.js';
import {
  type AuthorizationView,
  authorizationColumns,
  authorizationStates,
  endedByWords,
  presentAuthorization,
  presentToken,
  presentTokenRecord,
  scopeNames,
  type TokenRecordView,
  type TokenView,
  tokenColumns,
  toWireScope,
} from './access.js';
import { tokenHashOf } from './find-by-word.js';

const grants = callsOf('identity', GrantAdminServiceService);

const findToken = finder('token', grants, async ({ listTokens }, idPrefix) => {
  const { tokens } = await listTokens({ ...few, email: '', idPrefix });
  return tokens;
});

/** `knowledge token …`, for support. */
export const token = group({
  commands: {
    list: list({
      about: 'list the tokens of an e-mail, newest first, ended ones included while they are kept',
      takes: { ...requiredEmail('the e-mail of the human, in upper or lower case'), ...limit, ...lookReason },
      run: (session, { email, reason }, page) => grants(session).listTokens({ email, reason, ...page }),
      items: ({ tokens }) => tokens.map(presentToken),
      columns: tokenColumns,
      one: 'token',
      none: ({ email }) => `${email} has no tokens.`,
      examples: ['token list --email ada@example.org'],
    }),
    show: eachNamed({
      about: 'show tokens without their secrets: human, scopes, last use, who ended them and why, and their mails',
      takes: { '<id...>': `${idsHelp} (not the tokens)`, ...lookReason },
      find: findToken,
      run: async (session, id, { reason }) => presentTokenRecord(await grants(session).getTokenRecord({ id, reason })),
      text: formatToken,
      between: '\n\n\n',
      examples: ['token show ID', 'token show ID --reason "asked by mail" --json'],
    }),
    // Only the hash of the token leaves the terminal.
    find: command({
      about:
        'say whose a token is that somebody found: reads it from standard input, alone or in a text, and prints none',
      takes: lookReason,
      run: async (session, { reason }) => {
        const token = ownTokenIn(await readAll(session.host.stdin));
        if (token === undefined)
          throw new UsageError('Standard input has no whole token of this service (cks_ and 49 letters or digits).');
        const asked = { ...few, email: '', tokenHash: tokenHashOf(token), reason };
        const [found] = (await grants(session).listTokens(asked)).tokens;
        if (found === undefined)
          throw new DeskError(
            'not_found',
            'It has the form of a token of ours, but none here: it is of another system, or erased.',
          );
        const columns: Columns<TokenView> = { 'e-mail': 'email', ...tokenColumns };
        session.print.list([presentToken(found)], columns, { one: 'token', none: '' });
      },
      examples: ['token find < leaked.txt'],
    }),
    issue: command({
      about: 'create a token without asking its human, who gets a mail about it',
      takes: {
        ...requiredEmail(),
        '--agent <name>': { about: "the agent's name", required: true },
        '--scope <scope...>': {
          about: `what it may do: ${scopeNames.join(', ')} (default: all)`,
          parse: addScopes,
        },
        '--no-scopes': 'the token can only read',
        ...supportReason,
      },
      run: async (session, { email, agent, scopes, scope, reason }) => {
        if (!scopes && scope !== undefined) throw new UsageError('Give --scope or --no-scopes, not both.');
        await confirm(
          session,
          `Issue a token for "${agent}": it acts in the name of ${email} for ${rules.tokenDays} days.`,
          `${email} gets a mail that an agent was given access, with the link to end it.`,
        );
        const wanted = scopes ? (scope ?? scopeNames).map(toWireScope) : [];
        const request = { email, agentName: agent, scopes: wanted, reason, requestKey: randomUUID() };
        const { secret, token } = await grants(session).issueToken(request);
        const issued = { ...presentToken(requireField(token)), token: secret, token_type: 'Bearer' as const };
        session.print.result(issued, () => formatDetails(issued, issuedLines));
        session.print.note('Keep the token now; it is not shown again.');
      },
      examples: [
        'token issue --email ada@example.org --agent "Ada\'s agent"',
        'token issue --email ada@example.org --agent reader --no-scopes --json',
        'token issue --email ada@example.org --agent writer --scope write:story write:inquiry',
      ],
    }),
    revoke: eachNamed({
      about: `end tokens; they are refused everywhere within ${rules.revocationSeconds} seconds, and their humans get a mail`,
      takes: {
        '<id...>':
          'their ids (not the tokens), as "token list" shows them, or the first characters of each (at least 4)',
        '--keep-waiting': 'keep their contributions that wait for review; without it, these are withdrawn',
        ...reason('why; stored with your name, and mailed to the person'),
      },
      find: findToken,
      question: ({ id, keepWaiting }) => {
        const work = keepWaiting ? 'stay' : 'that wait for review are withdrawn';
        return `Revoke ${count(id.length, 'token')}? Their contributions ${work}. This cannot be undone.`;
      },
      preview: async (session, { id: ids }) => {
        const found = await Promise.all(ids.map((id) => grants(session).getTokenRecord({ id })));
        return found
          .map(({ token }) => presentToken(requireField(token)))
          .map(({ id, state, agent_name, email }) =>
            state === 'active'
              ? `${id.slice(0, 8)} of "${agent_name}": ${email} gets a mail that its access ended`
              : `${id.slice(0, 8)} of "${agent_name}" for ${email} is ${state} already`,
          )
          .join('\n');
      },
      run: async (session, tokenId, { reason, keepWaiting }) => {
        const { token } = await grants(session).revokeTokenById({ tokenId, reason, keepWaiting });
        return presentToken(requireField(token));
      },
      text: (now) => `The token ${now.id} of ${now.email} is ${now.state}.`,
      examples: [
        'token revoke ID --reason "leaked in a ticket"',
        'token revoke ID ID --reason "leaked in a ticket" --yes',
      ],
    }),
  },
  examples: [
    'token list --email ada@example.org',
    'token show ID',
    'token find < leaked.txt',
    'token issue --email ada@example.org --agent reader --no-scopes',
    'token revoke ID',
  ],
});

const issuedLines: Lines<TokenView & { readonly token: string }> = {
  token: 'token',
  id: 'id',
  'e-mail': 'email',
  agent: 'agent_name',
  scopes: scopesOf,
  'ends, UTC': 'expires_at',
};

function formatToken(token: TokenRecordView, paint: Paint) {
  const { history, authorization } = token;
  return formatDetails(token, tokenLines, paint) + formatHistory(history, paint, authorization?.mails);
}

const tokenLines: Lines<TokenRecordView> = {
  id: 'id',
  state: 'state',
  'e-mail': 'email',
  agent: 'agent_name',
  scopes: scopesOf,
  'made, UTC': 'created_at',
  'last used, UTC': ({ last_used_at: at }) => (at === null ? 'never' : readableTime(at)),
  'ends, UTC': ({ state, expires_at }) => (state === 'active' ? readableTime(expires_at) : null),
  'ended, UTC': ({ state, revoked_at, expires_at }) =>
    state === 'active' ? null : readableTime(revoked_at ?? expires_at),
  'ended by': ({ ended_by }) => endedByWords(ended_by),
  request: ofRequest('id'),
  purpose: ofRequest('purpose'),
  site: ofRequest('site'),
  'asked, UTC': ofRequest('created_at'),
  'decided, UTC': ofRequest('decided_at'),
  'asked from': ofRequest('client_address'),
  'client id': ofRequest('client_id'),
};

function ofRequest(value: Value<AuthorizationView>): Value<TokenRecordView> {
  return ({ authorization }) => authorization && textOf(authorization, value);
}

function scopesOf({ scopes }: Pick<TokenView, 'scopes'>) {
  return scopes.join(' ') || 'none: it only reads';
}

/** Adds a scope, or several with commas between them, to the earlier scopes. Removes duplicates. */
function addScopes(value: string, before: readonly string[] = []) {
  const given = value.split(',').map((name) => name.trim());
  const unknown = given.find((name) => !scopeNames.includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`Scopes are ${scopeNames.join(', ')}.`);
  return [...new Set([...before, ...given])];
}

const findAuthorization = finder('authorization request', grants, async ({ listAuthorizations }, idPrefix) => {
  const any = { email: '', state: AuthorizationState.UNSPECIFIED };
  const { authorizations } = await listAuthorizations({ ...few, ...any, idPrefix });
  return authorizations.map(({ authorization }) => requireField(authorization));
});

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
      run: (session, { email = '', state, reason }, page) =>
        grants(session).listAuthorizations({ email, state: authorizationStates.toWire(state), reason, ...page }),
      items: ({ authorizations }) => authorizations.map(presentAuthorization),
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

function formatAuthorization(record: AuthorizationView, paint: Paint) {
  return formatDetails(record, authorizationLines, paint) + formatHistory(record.history, paint, record.mails);
}

const authorizationLines: Lines<AuthorizationView> = {
  id: 'id',
  state: 'state',
  'e-mail': 'email',
  agent: 'agent_name',
  scopes: scopesOf,
  purpose: 'purpose',
  site: 'site',
  'user code': 'user_code',
  'asked, UTC': 'created_at',
  'ends, UTC': 'expires_at',
  'decided, UTC': 'decided_at',
  token: 'token_id',
  'asked from': 'client_address',
  'client id': 'client_id',
};
