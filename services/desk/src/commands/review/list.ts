import {
  type ContributionFilter,
  ModerationServiceService,
} from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { recordFilter, recordOrders } from '../../actions/review/records.js';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { atRevision } from '../../ids.js';
import { limitOption, parseTime, siteOption } from '../../options.js';
import {
  type ContributionView,
  contributionStates,
  contributionTypes,
  inquiryPurposes,
  presentContribution,
  typeOf,
} from '../../present/contribution.js';
import type { Column } from '../../print/table.js';
import { age } from '../../print/time.js';
import { sites } from '../../words.js';

interface Options extends FilterOptions {
  order?: string;
  limit?: number;
}

export function addList(parent: Command, handle: CommandHandler): void {
  const command = addFilterOptions(
    parent.command('list').description('list the contributions that wait for review, oldest first'),
  )
    .addOption(new Option('--order <order>', 'in this order').choices(recordOrders.words).default('oldest'))
    .addOption(limitOption())
    .action(
      handle(async (session, { order, limit, ...options }: Options) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const { all = false, state = ['pending_review'] } = options;
        const request = { filter: filterOf(options), order: recordOrders.toWire(order) };
        const records = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await moderation.listContributionRecords(
            { ...request, pageSize, pageToken },
            session.callContext(),
          );
          return { items: page.contributions, nextPageToken: page.nextPageToken };
        });
        const [only = '', ...others] = state;
        const none = all || others.length > 0 ? undefined : `Nothing is ${only.replace('_', ' ')}.`;
        session.print.list(records.items.map(presentContribution), columnsOfList(all || others.length > 0), {
          one: 'contribution',
          cut: records.cut,
          ...(none !== undefined && { none }),
        });
      }),
    );
  addExamples(
    command,
    'review list',
    'review list --order risk --limit 20',
    'review list --type inquiry --site io --json',
    'review list --purpose report',
    'review list --state approved published --language de --query "password reset"',
    'review list --all --email ada@example.org',
  );
}

function columnsOfList(withState: boolean): readonly Column<ContributionView>[] {
  return [
    { header: 'id', value: atRevision, isId: true },
    { header: 'type', value: typeOf },
    { header: 'site', value: (each) => each.site, dropPriority: 2 },
    ...(withState ? [{ header: 'state', value: (each: ContributionView) => each.state, isState: true }] : []),
    { header: 'age', value: (each) => age(each.submitted_at), alignRight: true, dropPriority: 3 },
    { header: 'risk', value: (each) => each.risk || '', alignRight: true, dropPriority: 2 },
    { header: 'title or text', value: (each) => each.title ?? each.body.slice(0, 120), flexible: true, minWidth: 30 },
    { header: 'marks', value: marks, dropPriority: 1 },
    { header: 'from', value: (each) => each.email, neverCut: true, dropPriority: 4 },
  ];
}

// Marks show only unusual facts, so that most contributions have none.
function marks(each: ContributionView): string {
  const found = [
    each.held === null ? undefined : `held: ${each.held.decision}`,
    each.open_by.length === 0 ? undefined : `open: ${each.open_by.map(({ actor }) => actor).join(' ')}`,
    each.access_ended_at === null ? undefined : 'access ended',
    each.duplicate_of === null ? undefined : 'repeated',
    each.hidden_characters.length === 0 ? undefined : 'hidden characters',
    each.taken_down_by_human ? 'taken down' : undefined,
  ];
  return found.filter((mark) => mark !== undefined).join(', ');
}

export function addCount(parent: Command, handle: CommandHandler): void {
  const command = addFilterOptions(
    parent.command('count').description('count the contributions that wait for review, by state, type and site'),
  ).action(
    handle(async (session, options: FilterOptions) => {
      const moderation = session.connect('contributions', ModerationServiceService);
      const filter = filterOf(options);
      const { counts, atLeast } = await moderation.countContributionRecords({ filter }, session.callContext());
      const shown = counts.map(({ state, type, site, count }) => ({
        state: contributionStates.fromWire(state),
        type: contributionTypes.fromWire(type),
        site: sites.fromWire(site),
        count,
      }));
      if (atLeast) session.print.note('There are more; these are the first that were counted.');
      session.print.list(shown, countColumns, { one: 'kind', none: 'There are none.' });
    }),
  );
  addExamples(command, 'review count', 'review count --all', 'review count --query "password reset" --older-than 3d');
}

interface CountView {
  readonly state: string;
  readonly type: string;
  readonly site: string;
  readonly count: number;
}

const countColumns: readonly Column<CountView>[] = [
  { header: 'state', value: (each) => each.state, isState: true },
  { header: 'type', value: (each) => each.type },
  { header: 'site', value: (each) => each.site },
  { header: 'count', value: (each) => each.count, alignRight: true },
];

/** The options with which moderators select contributions. */
interface FilterOptions {
  state?: string[];
  all?: boolean;
  type?: string[];
  purpose?: string;
  site?: string;
  language?: string;
  agent?: string;
  email?: string;
  after?: Date;
  before?: Date;
  olderThan?: Date;
  query?: string;
  group?: string;
}

/** Adds the options to `review list` and `review count`. */
function addFilterOptions(command: Command): Command {
  return command
    .addOption(new Option('--state <state...>', 'in one of these states').choices(contributionStates.words))
    .addOption(new Option('--all', 'in any state').conflicts('state'))
    .addOption(new Option('--type <type...>', 'only these types').choices(contributionTypes.words))
    .addOption(new Option('--purpose <purpose>', 'only inquiries with this purpose').choices(inquiryPurposes.words))
    .addOption(siteOption('only this site'))
    .option('--language <tag>', 'only in this language, such as de')
    .option('--agent <name>', 'only of the agent with this name')
    .option('--email <address>', 'only of the person with this e-mail, in upper or lower case')
    .addOption(new Option('--after <time>', 'only those sent at this time or later').argParser(parseTime))
    .addOption(new Option('--before <time>', 'only those sent before this time').argParser(parseTime))
    .addOption(
      new Option('--older-than <time>', 'only those sent longer ago, such as 12h or 3d')
        .argParser(parseAge)
        .conflicts('before'),
    )
    .option('--query <words>', 'only those with all these words in title, text, name or prompt question')
    .option('--group <key>', 'only those of this group of "review groups"; none for those of no wave');
}

/** Makes the filter of a call. Without `--state` and `--all` it selects what waits for review. */
function filterOf(options: FilterOptions): ContributionFilter {
  const { all = false, state = ['pending_review'], type, after, before, olderThan, ...rest } = options;
  return recordFilter({ ...rest, states: all ? [] : state, types: type, since: after, before: before ?? olderThan });
}

function parseAge(value: string): Date {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([hdw])$/.exec(value) ?? [];
  const hours = { h: 1, d: 24, w: 168 }[unit];
  if (count === undefined || hours === undefined) throw new InvalidArgumentError('Give a time such as 12h, 3d or 2w.');
  return new Date(Date.now() - Number(count) * hours * 3_600_000);
}
