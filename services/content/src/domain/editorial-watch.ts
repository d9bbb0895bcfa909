import { RecentEntries, type WatchedLog } from '@knowledge/runtime/watch';
import type { Change } from './change.js';
import type { ChangeLog } from './change-log.js';
import type { ChangeStream } from './change-stream.js';

/** The change log for the streams to editors. Recent changes come from memory, older ones from the stored log. */
export function watchedChanges(changeStream: ChangeStream, changes: ChangeLog): WatchedLog<Change> {
  const recent = new RecentEntries<Change>();
  changeStream.subscribe({ change: (change) => recent.add(change), reset: () => recent.reset(changeStream.position) });
  return {
    recent,
    async sync() {
      const position = await changeStream.sync();
      if (position > recent.head) recent.begin(position);
      return position;
    },
    read: (after, most, signal) => changes.after(after, most, signal),
    positionBefore: (since, signal) => changes.before(since, signal),
  };
}
