export {
  type AuditRecord,
  historySchema,
  logIndex,
  type TransitionEntry,
  timeIndex,
  transitionsSchema,
} from './log-source.js';
export {
  type AppendLog,
  aboutHash,
  aboutPerson,
  createAppendLog,
  createTransitionLog,
  type TransitionLog,
} from './transition-log.js';
