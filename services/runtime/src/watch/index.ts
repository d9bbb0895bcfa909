export { createConcurrencyLimit } from './concurrency-limit.js';
export { cursorOf, readCursor, requireMatchingEntry } from './cursor.js';
export type { WatchedLog } from './follow-log.js';
export { type LogTail, type StoredLog, startLogTail } from './log-tail.js';
export { RecentEntries } from './recent-entries.js';
export { type EntryFacts, personHash } from './watch-filter.js';
export { watchHandler } from './watch-handler.js';
