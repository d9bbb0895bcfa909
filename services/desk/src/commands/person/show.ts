import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ContributionState, ContributionType } from '@knowledge/proto/knowledge/contributions/v1/contributions';
import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { GrantAdminServiceService } from '@knowledge/proto/knowledge/identity/v1/grant_admin';
import { AuthorizationState } from '@knowledge/proto/knowledge/identity/v1/identity';
import { SubjectKind } from '@knowledge/proto/knowledge/quota/v1/quota';
import { QuotaAdminServiceService } from '@knowledge/proto/knowledge/quota/v1/quota_admin';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { reasonOption } from '../../options.js';
import { authorizationColumns, presentAuthorization } from '../../present/authorization.js';
import { presentContribution } from '../../present/contribution.js';
import { formatQuota, presentQuota } from '../../present/quota.js';
import { presentToken, tokenColumns } from '../../present/token.js';
import { type Column, formatTable } from '../../print/table.js';
import { readableTime } from '../../print/time.js';
import type { Session } from '../../session.js';

/** The number of newest items of each kind that are shown. The `list` commands show older ones. */
const maxShown = 50;

type PersonView = Awaited<ReturnType<typeof readPerson>>;

export function addPersonShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show what a person has: accesses, requests, contributions with their states, and allowances')
    .requiredOption('--email <address>', 'the e-mail of the person, in upper or lower case')
    .addOption(reasonOption('why you look at the data; stored with your name'))
    .action(
      handle(async (session, { email, reason }: { email: string; reason: string }) => {
        const person = await readPerson(session, email, reason);
        session.print.result(person, (all, { width }) => format(all, width));
      }),
    );
  addExamples(command, 'person show --email ada@example.org', 'person show --email ada@example.org --json');
}

async function readPerson(session: Session, email: string, reason: string) {
  const grants = session.connect('identity', GrantAdminServiceService);
  const moderation = session.connect('contributions', ModerationServiceService);
  const quota = session.connect('quota', QuotaAdminServiceService);
  const page = { pageSize: maxShown, pageToken: '' };
  const any = { state: ContributionState.UNSPECIFIED, type: ContributionType.UNSPECIFIED, site: Site.UNSPECIFIED };
  const subject = { kind: SubjectKind.EMAIL, value: email };
  const [{ tokens }, { authorizations }, { contributions }, { allowances }] = await Promise.all([
    grants.listTokens({ email, reason, ...page }, session.callContext()),
    grants.listAuthorizations({ email, reason, state: AuthorizationState.UNSPECIFIED, ...page }, session.callContext()),
    moderation.listContributionRecords({ ...any, email, ...page }, session.callContext()),
    quota.showSubject({ subject, reason }, session.callContext()),
  ]);
  return {
    id: email,
    tokens: tokens.map((token) => presentToken(token)),
    authorizations: authorizations.map(presentAuthorization),
    contributions: contributions.map(presentContribution).map(factsOf),
    quota: presentQuota(`email:${email}`, allowances),
  };
}

// Support sees only the state of a contribution. Its text is for moderators.
function factsOf({ id, type, site, state, title, submitted_at, reviewed_at }: ReturnType<typeof presentContribution>) {
  return { id, type, site, state, title, submitted_at, reviewed_at };
}

function format({ id, tokens, authorizations, contributions, quota }: PersonView, width: number | undefined): string {
  return [
    id,
    section('Tokens', tokens, tokenColumns, width),
    section('Requests', authorizations, authorizationColumns, width),
    section('Contributions', contributions, contributionColumns, width),
    `Allowances\n${formatQuota(quota)}`,
  ].join('\n\n');
}

function section<Item>(
  heading: string,
  items: readonly Item[],
  columns: readonly Column<Item>[],
  width: number | undefined,
): string {
  return items.length === 0 ? `${heading}: none` : `${heading}\n${formatTable(items, columns, width)}`;
}

const contributionColumns: readonly Column<PersonView['contributions'][number]>[] = [
  { header: 'id', value: (each) => each.id, isId: true },
  { header: 'type', value: (each) => each.type },
  { header: 'site', value: (each) => each.site, dropPriority: 2 },
  { header: 'state', value: (each) => each.state, isState: true },
  { header: 'sent, UTC', value: (each) => readableTime(each.submitted_at), dropPriority: 1 },
  { header: 'title', value: (each) => each.title ?? '-', flexible: true },
];
