import type { Change } from '../domain/change.js';
import type { ChangeLog } from '../domain/change-log.js';

/** A change log in memory. It delivers every change at once. Without a change, `next` waits for 20 ms. */
export interface ChangeLogInMemory extends ChangeLog {
  readonly changes: Change[];
  /** Appends changes to the log. */
  commit(...changes: Partial<Change>[]): void;
}

/** An empty log. */
export function changeLogInMemory(): ChangeLogInMemory {
  const changes: Change[] = [];
  const waiting = new Set<() => void>();
  const round = () =>
    new Promise<void>((resolve) => {
      const wake = (): void => {
        clearTimeout(timer);
        waiting.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, 20);
      waiting.add(wake);
    });
  return {
    changes,
    commit(...added) {
      for (const part of added) changes.push(changeAt(changes.length + 1, part));
      for (const wake of waiting) wake();
    },
    head: async () => changes.at(-1)?.position ?? 0,
    after: async (position, limit) => changes.filter((change) => change.position > position).slice(0, limit),
    before: async (since) => {
      const first = changes.find(({ transition }) => transition.at >= since);
      return first && first.position - 1;
    },
    follow() {
      let read = changes.length;
      return {
        async next() {
          if (read >= changes.length) await round();
          return read < changes.length ? changes[read++] : undefined;
        },
        close: async () => undefined,
      };
    },
  };
}

function changeAt(position: number, part: Partial<Change>): Change {
  const transition = { from: '', to: 'published', actor: 'ann', at: new Date(position), reason: '', revision: 1 };
  return { subject: 'article', site: 'org', key: `a${position}`, tags: [], transition, position, ...part };
}
