import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { lookReasonOption } from '../../options.js';
import { personServices } from '../../person/person-services.js';
import { lookedUp, type PersonView, readPerson } from '../../person/read-person.js';
import { authorizationColumns, type BlockView } from '../../present/authorization.js';
import { erasureColumns } from '../../present/erasure.js';
import { formatQuota } from '../../present/quota.js';
import { tokenColumns } from '../../present/token.js';
import { type Column, formatTable } from '../../print/table.js';
import { terminalSafeLine } from '../../print/terminal-safe.js';
import { readableTime } from '../../print/time.js';

export function addPersonShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show what a person has: accesses, requests, contributions, mails, and what is left today')
    .requiredOption('--email <address>', 'the e-mail of the person, in upper or lower case')
    .addOption(lookReasonOption())
    .action(
      handle(async (session, { email, reason }: { email: string; reason: string }) => {
        const person = await readPerson(personServices(session), email, reason);
        session.print.result(person, (all, { width }) => format(all, width));
      }),
    );
  addExamples(command, 'person show --email ada@example.org', 'person show --email ada@example.org --json');
}

function format(person: PersonView, width: number | undefined): string {
  const { id, tokens, authorizations, block, contributions, mails, quota, agents, erasures } = person;
  return [
    `${id}\n${lookedUp}`,
    ...(erasures.length === 0 ? [] : [section('Erasure', erasures, erasureColumns, width)]),
    ...(block === null ? [] : [formatBlock(block)]),
    section('Tokens', tokens, tokenColumns, width),
    section('Requests', authorizations, authorizationColumns, width),
    section('Contributions', contributions, contributionColumns, width),
    section('Mails', mails, mailColumns, width),
    `What is left with a token\n${formatQuota(quota)}`,
    ...agents.map((agent) => `What is left for ${agent.id}\n${formatQuota(agent)}`),
  ].join('\n\n');
}

function formatBlock({ until, by, reason }: BlockView): string {
  const end = until === null ? 'for ever' : `until ${readableTime(until)} UTC`;
  return `${by === 'human' ? 'This person refuses requests of agents' : 'Requests and texts of agents are blocked'} ${end}, by ${by}${reason === null ? '' : `: ${terminalSafeLine(reason)}`}`;
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
  { header: 'site', value: (each) => each.site, dropPriority: 3 },
  { header: 'state', value: (each) => each.state, isState: true },
  { header: 'sent, UTC', value: (each) => readableTime(each.submitted_at), dropPriority: 1 },
  { header: 'title', value: (each) => each.title ?? '-', flexible: true },
  { header: 'reason', value: (each) => each.reason ?? '-', flexible: true, dropPriority: 2 },
];

const mailColumns: readonly Column<PersonView['mails'][number]>[] = [
  { header: 'mail', value: (each) => each.purpose },
  { header: 'state', value: (each) => each.state, isState: true },
  { header: 'tries', value: (each) => each.attempts, alignRight: true, dropPriority: 2 },
  { header: 'sent, UTC', value: (each) => readableTime(each.sent_at) },
  { header: 'because of', value: (each) => `${each.cause} ${each.id.slice(0, 8)}`, dropPriority: 1 },
  { header: 'about', value: (each) => each.about || '-', flexible: true },
];
