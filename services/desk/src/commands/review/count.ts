import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { contributionStates, contributionTypes } from '../../present/contribution.js';
import type { Column } from '../../print/table.js';
import { sites } from '../../words.js';
import { addFilterOptions, type FilterOptions, filterOf } from './filter-options.js';

export function addReviewCount(parent: Command, handle: CommandHandler): void {
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
      session.print.list(shown, columns, { one: 'kind', none: 'There are none.' });
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

const columns: readonly Column<CountView>[] = [
  { header: 'state', value: (each) => each.state, isState: true },
  { header: 'type', value: (each) => each.type },
  { header: 'site', value: (each) => each.site },
  { header: 'count', value: (each) => each.count, alignRight: true },
];
