import type { TeamworkServiceService } from '@knowledge/proto/knowledge/contributions/v1/teamwork';
import type { CallOptions, GrpcClient } from '@knowledge/runtime/grpc';
import type { ModerationClient } from '../../actions/decisions.js';
import type { ContributionView } from '../../present/contribution.js';
import type { QueueFilter } from './filter.js';
import { type QueueEntries, readEntries } from './read-list.js';

/** The item that a moderator opens next, in its page of the queue. */
export interface NextItem {
  readonly id: string;
  readonly filter: QueueFilter;
  readonly page: QueueEntries;
}

/** How many pages are searched. All items of the first ones can be decided and not yet in effect. */
const pagesMost = 10;
/** How many items are tried that colleagues open at the same moment. */
const triesMost = 10;

/**
 * Finds the item that the moderator opens after another one, and announces it as open. It is one that no colleague
 * has open; only if there is none, one that colleagues have open. Undefined if nothing waits.
 */
export async function findNext(
  moderation: ModerationClient,
  teamwork: GrpcClient<typeof TeamworkServiceService>,
  filter: QueueFilter,
  after: string | undefined,
  call: CallOptions & { readonly actor: string },
): Promise<NextItem | undefined> {
  let taken: NextItem | undefined;
  let tries = 0;
  for (const asked = [filter.page]; asked.length <= pagesMost; ) {
    const inPage = { ...filter, page: asked.at(-1) ?? '' };
    const page = await readEntries(moderation, inPage, call);
    const found = inTurn(page.entries, after, call.actor);
    for (const each of found.free.slice(0, triesMost - tries)) {
      tries++;
      const { openBy } = await teamwork.announcePresence({ contributionId: each.id }, call);
      // Of two who announce it at the same moment, only the first sees nobody else.
      if (openBy.every(({ actor }) => actor === call.actor)) return { id: each.id, filter: inPage, page };
      taken ??= { id: each.id, filter: inPage, page };
      await teamwork.endPresence({ contributionId: each.id }, call);
    }
    const [other] = found.taken;
    if (other !== undefined) taken ??= { id: other.id, filter: inPage, page };
    // After the last page come those before the page where the search began.
    if (tries === triesMost || asked.includes(page.nextPage)) break;
    asked.push(page.nextPage);
  }
  return taken;
}

/** The items of a list page that still need a decision, in the order in which one moderator takes them. */
export interface InTurn {
  /** Nobody else has these open. */
  readonly free: readonly ContributionView[];
  /** Colleagues have these open. */
  readonly taken: readonly ContributionView[];
}

/** Begins with the items after `after`; those before it come last. */
export function inTurn(entries: readonly ContributionView[], after: string | undefined, actor: string): InTurn {
  const at = entries.findIndex(({ id }) => id === after);
  const undecided = [...entries.slice(at + 1), ...entries.slice(0, at + 1)].filter(
    ({ id, held }) => held === null && id !== after,
  );
  const isTaken = ({ open_by }: ContributionView): boolean => open_by.some((each) => each.actor !== actor);
  return { free: undecided.filter((each) => !isTaken(each)), taken: undecided.filter(isTaken) };
}
