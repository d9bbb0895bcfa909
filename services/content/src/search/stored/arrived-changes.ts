import type { Change } from '../../domain/change.js';
import type { ChangeLog } from '../../domain/change-log.js';

/** The log of changes, of which the last ones need not be read again. */
export interface ArrivedChanges extends Pick<ChangeLog, 'after'> {
  /** Notes the next change of the log. */
  note(change: Change): void;
  /** Forgets all, because the log was replaced. */
  clear(): void;
}

const mostKept = 1000;

export function createArrivedChanges(log: Pick<ChangeLog, 'after'>): ArrivedChanges {
  let kept: Change[] = [];
  return {
    note(change) {
      kept.push(change);
      if (kept.length > 2 * mostKept) kept = kept.slice(-mostKept);
    },
    clear() {
      kept = [];
    },
    async after(position, limit, signal) {
      const [first] = kept;
      if (first === undefined || first.position > position + 1) return log.after(position, limit, signal);
      const next = position + 1 - first.position;
      return next < kept.length ? kept.slice(next, next + limit) : log.after(position, limit, signal);
    },
  };
}
