export { createConcurrencyLimit } from './concurrency-limit.js';
export { cursorOf, type EntryFacts, personHash, RecentEntries, readCursor, requireMatchingEntry } from './cursor.js';
export { type LogTail, type StoredLog, startLogTail, type WatchedLog, watchHandler } from './follow-log.js';
