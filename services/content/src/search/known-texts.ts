import type { ChangeStream } from '../domain/change-stream.js';
import { FrequentCache } from './frequent-cache.js';
import { keyOfChange } from './index/changed-text.js';
import type { Glosses, PublishedTexts } from './index/ports.js';
import type { FoundText, Gloss, TextKey } from './index/search-text.js';

/** A found text with its English gloss. */
export interface KnownText {
  readonly text: FoundText;
  readonly gloss: Gloss | undefined;
}

/** The texts that searches find most. A text is read again after each change of it or of its gloss. */
export interface KnownTexts {
  /**
   * The published ones of these texts, in any order. They contain every change that the change stream has delivered before
   * the call.
   */
  read(keys: readonly TextKey[], signal: AbortSignal): Promise<readonly KnownText[]>;
  close(): void;
}

export interface KnownTextsDependencies {
  readonly texts: Pick<PublishedTexts, 'readFound'>;
  readonly glosses: Glosses;
  readonly changeStream: Pick<ChangeStream, 'subscribe'>;
  readonly maxBytes: number;
}

export function createKnownTexts({ texts, glosses, changeStream, maxBytes }: KnownTextsDependencies): KnownTexts {
  const kept = new FrequentCache<TextKey, KnownText>(maxBytes, bytesOf);
  // What was read before a change is not kept after it.
  let generation = 0;
  const unsubscribe = changeStream.subscribe({
    change(change) {
      const key = keyOfChange(change);
      if (key === undefined) return;
      generation++;
      kept.delete(key);
    },
    reset() {
      generation++;
      kept.clear();
    },
  });

  const readUnknown = async (keys: readonly TextKey[], signal: AbortSignal): Promise<KnownText[]> => {
    const before = generation;
    const [found, glossOf] = await Promise.all([texts.readFound(keys, signal), glosses.of(keys, signal)]);
    return found.map((text) => {
      const known = { text, gloss: glossOf.get(text.key) };
      if (generation === before) kept.set(text.key, known);
      return known;
    });
  };

  return {
    async read(keys, signal) {
      const known: KnownText[] = [];
      const unknown = keys.filter((key) => {
        const one = kept.get(key);
        if (one !== undefined) known.push(one);
        return one === undefined;
      });
      return unknown.length === 0 ? known : [...known, ...(await readUnknown(unknown, signal))];
    },
    close: unsubscribe,
  };
}

function bytesOf({ text: { entry }, gloss }: KnownText): number {
  const body = 'body' in entry ? entry.body.length : 0;
  const glossLength = gloss === undefined ? 0 : gloss.title.length + gloss.summary.length;
  return entryBytes + 2 * (entry.title.length + entry.summary.length + body + glossLength);
}

/** What an entry needs beside its texts: an object with some twenty fields. */
const entryBytes = 1500;
