import type { ModerationClient } from '../../actions/review/moderation-client.js';
import type { QueueFilter } from './filter.js';
import { inTurn } from './in-turn.js';
import { itemPath } from './list.js';
import type { Presence, StaffCall } from './presence.js';
import { readEntries } from './read-list.js';

/** How many pages are searched. All items of the first ones can be decided and not yet in effect. */
const pagesMost = 10;
/** How many items are tried that colleagues open at the same moment. */
const triesMost = 10;

/**
 * Finds the item that the moderator opens after another one, and announces it as open. It is one that no colleague
 * has open; only if there is none, one that colleagues have open. Undefined if nothing waits.
 *
 * @returns the path of the item.
 */
export async function findNext(
  moderation: ModerationClient,
  presence: Presence,
  filter: QueueFilter,
  after: string | undefined,
  call: StaffCall,
): Promise<string | undefined> {
  let taken: string | undefined;
  let tries = 0;
  for (const asked = [filter.page]; asked.length <= pagesMost; ) {
    const page = asked.at(-1) ?? '';
    const { entries, nextPage } = await readEntries(moderation, { ...filter, page }, call);
    const found = inTurn(entries, after, call.actor);
    const pathOf = ({ id }: { readonly id: string }): string => itemPath(id, { ...filter, page });
    for (const each of found.free.slice(0, triesMost - tries)) {
      tries++;
      const openBy = await presence.announce(each.id, call);
      // Of two who announce it at the same moment, only the first sees nobody else.
      if (openBy.every((actor) => actor === call.actor)) return pathOf(each);
      taken ??= pathOf(each);
      await presence.leave(each.id, call);
    }
    const [other] = found.taken;
    if (other !== undefined) taken ??= pathOf(other);
    // After the last page come those before the page where the search began.
    if (tries === triesMost || asked.includes(nextPage)) break;
    asked.push(nextPage);
  }
  return taken;
}
