import { randomUUID } from 'node:crypto';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { rules } from '@knowledge/runtime/product';
import { type Command, InvalidArgumentError } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { UsageError } from '../../desk-error.js';
import { addExamples } from '../../global-options.js';
import { supportReasonOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { presentToken, scopeNames, toWireScope } from '../../present/token.js';
import { formatDetails } from '../../print/details.js';
import { readableTime } from '../../print/time.js';

interface Options {
  email: string;
  agent: string;
  /** The option `--no-scopes` makes this false. */
  scopes: boolean;
  scope?: string[];
  reason: string;
}

export function addTokenIssue(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('issue')
    .description('create a token without asking its human, who gets a mail about it')
    .requiredOption('--email <address>', 'the e-mail of the human')
    .requiredOption('--agent <name>', "the agent's name")
    .option('--scope <scope...>', `what it may do: ${scopeNames.join(', ')} (default: all)`, addScopes)
    .option('--no-scopes', 'the token can only read')
    .addOption(supportReasonOption())
    .action(
      handle(async (session, { email, agent, scopes, scope, reason }: Options) => {
        if (!scopes && scope !== undefined) throw new UsageError('Give --scope or --no-scopes, not both.');
        await confirm(
          session,
          `Issue a token for "${agent}": it acts in the name of ${email} for ${rules.tokenDays} days.`,
          `${email} gets a mail that an agent was given access, with the link to end it.`,
        );
        const grants = session.connect('identity', GrantAdminServiceService);
        const wanted = scopes ? (scope ?? scopeNames).map(toWireScope) : [];
        const request = { email, agentName: agent, scopes: wanted, reason, requestKey: randomUUID() };
        const { secret, token } = await grants.issueToken(request, session.callContext());
        const view = presentToken(requireField(token));
        session.print.result({ ...view, token: secret, token_type: 'Bearer' as const }, (issued) =>
          formatDetails([
            ['token', issued.token],
            ['id', issued.id],
            ['e-mail', issued.email],
            ['agent', issued.agent_name],
            ['scopes', issued.scopes.join(' ') || 'none: it only reads'],
            ['ends, UTC', readableTime(issued.expires_at)],
          ]),
        );
        session.print.note('Keep the token now; it is not shown again.');
      }),
    );
  addExamples(
    command,
    'token issue --email ada@example.org --agent "Ada\'s agent"',
    'token issue --email ada@example.org --agent reader --no-scopes --json',
    'token issue --email ada@example.org --agent writer --scope write:story write:inquiry',
  );
}

/** Adds a scope, or several with commas between them, to the earlier scopes. Removes duplicates. */
function addScopes(value: string, before: string[] = []): string[] {
  const given = value.split(',').map((name) => name.trim());
  const unknown = given.find((name) => !scopeNames.includes(name));
  if (unknown !== undefined) throw new InvalidArgumentError(`Scopes are ${scopeNames.join(', ')}.`);
  return [...new Set([...before, ...given])];
}
