import { ModerationServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
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
  all?: boolean;
  type?: string;
  site?: string;
  email?: string;
  limit?: number;
}

export function addReviewList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list the contributions that wait for review, oldest first')
    .addOption(new Option('--state <state>', 'list those in this state instead').choices(contributionStates.words))
    .addOption(new Option('--all', 'list those in any state').conflicts('state'))
    .addOption(new Option('--type <type>', 'only this type').choices(contributionTypes.words))
    .addOption(siteOption('only this site'))
    .option('--email <address>', 'only of the person with this e-mail, in upper or lower case')
    .addOption(limitOption())
    .action(
      handle(async (session, { state = 'pending_review', all = false, type, site, email = '', limit }: Options) => {
        const moderation = session.connect('contributions', ModerationServiceService);
        const filter = {
          state: contributionStates.toWire(all ? undefined : state),
          type: contributionTypes.toWire(type),
          site: sites.toWire(site),
          email,
        };
        const records = await readListPages(limit, session.print, async (pageSize, pageToken) => {
          const page = await moderation.listContributionRecords(
            { ...filter, pageSize, pageToken },
            session.callContext(),
          );
          return { items: page.contributions, nextPageToken: page.nextPageToken };
        });
        const none = all ? undefined : `Nothing is ${state.replace('_', ' ')}.`;
        session.print.list(records.items.map(presentContribution), columns(all), {
          one: 'contribution',
          cut: records.cut,
          ...(none !== undefined && { none }),
        });
      }),
    );
  addExamples(
    command,
    'review list',
    'review list --type inquiry --site io --json',
    'review list --all --email ada@example.org',
  );
}

function columns(withState: boolean): readonly Column<ContributionView>[] {
  return [
    { header: 'id', value: (each) => each.id, isId: true },
    { header: 'type', value: (each) => each.type },
    { header: 'site', value: (each) => each.site, dropPriority: 2 },
    ...(withState ? [{ header: 'state', value: (each: ContributionView) => each.state, isState: true }] : []),
    { header: 'age', value: (each) => age(each.submitted_at), alignRight: true, dropPriority: 3 },
    { header: 'title or text', value: (each) => each.title ?? each.body.slice(0, 120), flexible: true, minWidth: 30 },
    { header: 'marks', value: marks, dropPriority: 1 },
    { header: 'from', value: (each) => each.email, neverCut: true, dropPriority: 4 },
  ];
}

// Marks show only unusual facts, so that most contributions have none.
function marks(each: ContributionView): string {
  const found = [
    each.access_ended_at === null ? undefined : 'access ended',
    each.duplicate_of === null ? undefined : 'repeated',
    each.hidden_characters.length === 0 ? undefined : 'hidden characters',
    each.taken_down_by_human ? 'taken down' : undefined,
  ];
  return found.filter((mark) => mark !== undefined).join(', ');
}
