import type { ContributionFilter } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { InvalidArgumentError } from 'commander';
import { recordFilter, recordOrders } from '../../actions/review/records.js';
import { command } from '../../command-table.js';
import { readListPages } from '../../connection/list-pages.js';
import { atRevision } from '../../ids.js';
import { limit, parseTime, site } from '../../options.js';
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
import type { Given } from '../../takes.js';
import { sites } from '../../words.js';
import { moderation } from './find.js';

/** The options with which moderators select contributions. */
const filterOptions = {
  '--state <state...>': { about: 'in one of these states', choices: contributionStates.words },
  '--all': { about: 'in any state', conflicts: 'state' },
  '--type <type...>': { about: 'only these types', choices: contributionTypes.words },
  '--purpose <purpose>': { about: 'only inquiries with this purpose', choices: inquiryPurposes.words },
  ...site('only this site'),
  '--language <tag>': 'only in this language, such as de',
  '--agent <name>': 'only of the agent with this name',
  '--email <address>': 'only of the person with this e-mail, in upper or lower case',
  '--after <time>': { about: 'only those sent at this time or later', parse: parseTime },
  '--before <time>': { about: 'only those sent before this time', parse: parseTime },
  '--older-than <time>': {
    about: 'only those sent longer ago, such as 12h or 3d',
    parse: parseAge,
    conflicts: 'before',
  },
  '--query <words>': 'only those with all these words in title, text, name or prompt question',
  '--group <key>': 'only those of this group of "review groups"; none for those of no wave',
} as const;

export const list = command({
  about: 'list the contributions that wait for review, oldest first',
  takes: {
    ...filterOptions,
    '--order <order>': { about: 'in this order', choices: recordOrders.words, initial: 'oldest' },
    ...limit,
  },
  async run(session, { order, limit, ...options }) {
    const { all, state = ['pending_review'] } = options;
    const request = { filter: filterOf(options), order: recordOrders.toWire(order) };
    const records = await readListPages(limit, session.print, async (pageSize, pageToken) => {
      const page = await moderation(session).listContributionRecords({ ...request, pageSize, pageToken });
      return { items: page.contributions, nextPageToken: page.nextPageToken };
    });
    const [only = '', ...others] = state;
    const isMixed = all || others.length > 0;
    const none = isMixed ? {} : { none: `Nothing is ${only.replace('_', ' ')}.` };
    const labels = { one: 'contribution', cut: records.cut, ...none };
    session.print.list(records.items.map(presentContribution), columnsOfList(isMixed), labels);
  },
  examples: [
    'review list',
    'review list --order risk --limit 20',
    'review list --type inquiry --site io --json',
    'review list --purpose report',
    'review list --state approved published --language de --query "password reset"',
    'review list --all --email ada@example.org',
  ],
});

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

export const count = command({
  about: 'count the contributions that wait for review, by state, type and site',
  takes: filterOptions,
  async run(session, options) {
    const { counts, atLeast } = await moderation(session).countContributionRecords({ filter: filterOf(options) });
    const shown = counts.map(({ state, type, site, count }) => ({
      state: contributionStates.fromWire(state),
      type: contributionTypes.fromWire(type),
      site: sites.fromWire(site),
      count,
    }));
    if (atLeast) session.print.note('There are more; these are the first that were counted.');
    session.print.list(shown, countColumns, { one: 'kind', none: 'There are none.' });
  },
  examples: ['review count', 'review count --all', 'review count --query "password reset" --older-than 3d'],
});

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

/** Makes the filter of a call. Without `--state` and `--all` it selects what waits for review. */
function filterOf(options: Given<typeof filterOptions>): ContributionFilter {
  const { all, state = ['pending_review'], type, after, before, olderThan, ...rest } = options;
  return recordFilter({ ...rest, states: all ? [] : state, types: type, since: after, before: before ?? olderThan });
}

function parseAge(value: string): Date {
  const [, count, unit = ''] = /^([1-9]\d{0,4})([hdw])$/.exec(value) ?? [];
  const hours = { h: 1, d: 24, w: 168 }[unit];
  if (count === undefined || hours === undefined) throw new InvalidArgumentError('Give a time such as 12h, 3d or 2w.');
  return new Date(Date.now() - Number(count) * hours * 3_600_000);
}
