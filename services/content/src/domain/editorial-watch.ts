import { RecentEntries, type WatchedLog } from '@knowledge/runtime/watch';
import type { Change } from './change.js';
import type { ChangeFeed } from './change-feed.js';
import type { ChangeLog } from './change-log.js';

/** The change log for streams of editors: the newest changes from memory, what is older from the stored log. */
export function watchedChanges(feed: ChangeFeed, changes: ChangeLog): WatchedLog<Change> {
  const recent = new RecentEntries<Change>();
  feed.subscribe({ change: (change) => recent.add(change), reset: () => recent.reset(feed.position) });
  return {
    recent,
    async sync() {
      const position = await feed.sync();
      if (position > recent.head) recent.begin(position);
      return position;
    },
    read: (after, most, signal) => changes.after(after, most, signal),
    before: (since, signal) => changes.before(since, signal),
  };
}
