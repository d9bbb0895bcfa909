export { type AppendLog, createAppendLog } from './append-log.js';
export { historySchema, logIndex, timeIndex, transitionsSchema } from './schema.js';
export type { AuditRecord, TransitionEntry } from './transition.js';
export { blankEntries, createTransitionLog, type TransitionLog } from './transition-log.js';
