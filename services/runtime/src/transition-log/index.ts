export type { AuditRecord, TransitionEntry } from './log-source.js';
export { historySchema, logIndex, timeIndex, transitionsSchema } from './schema.js';
export {
  type AppendLog,
  blankEntries,
  createAppendLog,
  createTransitionLog,
  type TransitionLog,
} from './transition-log.js';
