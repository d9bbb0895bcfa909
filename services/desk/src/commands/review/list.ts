import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Command, Option } from 'commander';
import { readPages } from '../../connection/pages.js';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { limitOption, siteOption } from '../../options.js';
import {
  type ContributionView,
  contributionStates,
  contributionTypes,
  presentContribution,
} from '../../present/contribution.js';
import type { Column } from '../../print/table.js';
import { age } from '../../print/time.js';
import { sites } from '../../words.js';

interface Options {
  state?: string;
  type?: string;
  site?: string;
  limit?: number;
}

export function addReviewList(parent: Command, act: Act): void {
  const command = parent
    .command('list')
    .description('list contributions, those that wait longest first')
    .addOption(new Option('--state <state>', 'only this state').choices(contributionStates.words))
    .addOption(new Option('--type <type>', 'only this type').choices(contributionTypes.words))
    .addOption(siteOption('only this site'))
    .addOption(limitOption())
    .action(
      act(async (session, { state, type, site, limit }: Options) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const filter = {
          state: contributionStates.value(state),
          type: contributionTypes.value(type),
          site: sites.value(site),
        };
        const records = await readPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await moderation.listContributionRecords({ ...filter, pageSize, pageToken }, session.call());
          return { items: page.contributions, nextPageToken: page.nextPageToken };
        });
        session.print.list(records.map(presentContribution), columns, 'No contributions.');
      }),
    );
  addExamples(command, 'review list --state pending_review', 'review list --type inquiry --site io --json');
}

const columns: readonly Column<ContributionView>[] = [
  { header: 'id', value: (each) => each.id },
  { header: 'type', value: (each) => each.type },
  { header: 'site', value: (each) => each.site },
  { header: 'state', value: (each) => each.state, state: true },
  { header: 'sent', value: (each) => `${age(each.submitted_at)} ago`, right: true },
  { header: 'from', value: (each) => each.email, flexible: true },
  { header: 'title or text', value: (each) => each.title ?? each.body.slice(0, 120), flexible: true },
];
