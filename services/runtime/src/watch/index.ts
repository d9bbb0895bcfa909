export { followLog, readCursor, type WatchedLog } from './follow-log.js';
export { type LogTail, type StoredLog, startLogTail } from './log-tail.js';
export { RecentEntries } from './recent-entries.js';
export { createTurnstile } from './turnstile.js';
export { personHash, readWatchFilter } from './watch-filter.js';
