export { createConcurrencyLimit } from './concurrency-limit.js';
export { cursorOf, RecentEntries, readCursor, requireMatchingEntry } from './cursor.js';
export { type WatchedLog, watchHandler } from './follow-log.js';
export { type LogTail, type StoredLog, startLogTail } from './log-tail.js';
export { type EntryFacts, personHash } from './watch-filter.js';
