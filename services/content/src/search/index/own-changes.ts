import type { NewChange } from '../../domain/change.js';
import { keyOfChange } from './changed-text.js';
import type { TextKey } from './search-text.js';

/** The texts that this process changed last. */
export interface OwnChanges {
  /** Notes a change before it is committed. */
  note(change: NewChange): Promise<void>;
  has(key: TextKey): boolean;
}

const maxNoted = 1000;

export function createOwnChanges(): OwnChanges {
  const noted = new Set<TextKey>();
  return {
    async note(change) {
      const key = keyOfChange(change);
      if (key === undefined) return;
      noted.delete(key);
      noted.add(key);
      const [oldest] = noted;
      if (noted.size > maxNoted && oldest !== undefined) noted.delete(oldest);
    },
    has: (key) => noted.has(key),
  };
}
