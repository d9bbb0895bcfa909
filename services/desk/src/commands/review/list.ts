import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Command, Option } from 'commander';
import { recordOrders } from '../../actions/review/record-filter.js';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { atRevision } from '../../ids.js';
import { limitOption } from '../../options.js';
import { type ContributionView, presentContribution, typeOf } from '../../present/contribution.js';
import type { Column } from '../../print/table.js';
import { age } from '../../print/time.js';
import { addFilterOptions, type FilterOptions, filterOf } from './filter-options.js';

interface Options extends FilterOptions {
  order?: string;
  limit?: number;
}

export function addReviewList(parent: Command, handle: CommandHandler): void {
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
        session.print.list(records.items.map(presentContribution), columns(all || others.length > 0), {
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

function columns(withState: boolean): readonly Column<ContributionView>[] {
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
