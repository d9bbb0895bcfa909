import type { Site } from '@knowledge/runtime';
import { deadlineIn, deadlineSignal } from '@knowledge/runtime';
import type { ChangeStream } from './change-stream.js';
import type { RelatedCandidate } from './related.js';

/** Reads the newest published articles of a tag. */
export interface TagSource {
  tagged(site: Site, tag: string, limit: number, signal: AbortSignal): Promise<RelatedCandidate[]>;
}

export interface SiteTag {
  readonly site: Site;
  readonly tag: string;
}

/** The newest published articles of each tag. Related articles are chosen from these lists. */
export interface TagLists {
  /**
   * Returns the lists of these tags, by `tagKey`. They contain every change that was acknowledged before the last sync
   * of the change stream. So a caller syncs first and then reads the lists.
   */
  read(tags: Iterable<SiteTag>): Promise<ReadonlyMap<string, readonly RelatedCandidate[]>>;
}

/** The key under which the list of a tag is cached. */
export function tagKey({ site, tag }: SiteTag): string {
  return `${site}/${tag}`;
}

/**
 * The length of a list. If thousands of articles have a tag, only the newest of them can be related by it. Older ones
 * are found if they share a rarer tag.
 */
const listLength = 32;
/** The largest number of cached lists; each has about 15 kB. */
const maxLists = 2000;
const loadsAtOnce = 16;
const loadLimitMs = 1500;

/** Caches the list of a tag until an article with this tag changes. */
export function createTagLists(source: TagSource, changeStream: ChangeStream): TagLists {
  const lists = new Map<string, readonly RelatedCandidate[]>();
  const loading = new Map<string, Promise<readonly RelatedCandidate[]>>();

  // A change during a load is newer than the waiting calls. So these calls get the loaded list, but it is not cached.
  const forget = (key: string): void => {
    lists.delete(key);
    loading.delete(key);
  };
  changeStream.subscribe({
    change: ({ subject, site, tags }) => {
      if (subject === 'article') for (const tag of tags) forget(tagKey({ site, tag }));
    },
    reset: () => {
      lists.clear();
      loading.clear();
    },
  });

  const load = (key: string, { site, tag }: SiteTag): Promise<readonly RelatedCandidate[]> => {
    const running = loading.get(key);
    if (running !== undefined) return running;
    // Several callers may wait for this load, so the signal of one caller must not end it.
    const limit = deadlineSignal(deadlineIn(loadLimitMs));
    const list = source.tagged(site, tag, listLength, limit.signal).finally(() => limit.clear());
    loading.set(key, list);
    const settle = (kept?: readonly RelatedCandidate[]): void => {
      if (loading.get(key) !== list) return;
      loading.delete(key);
      if (kept !== undefined) keep(key, kept);
    };
    list.then(settle, () => settle());
    return list;
  };

  const keep = (key: string, list: readonly RelatedCandidate[]): void => {
    lists.set(key, list);
    const [oldest] = lists.size > maxLists ? lists.keys() : [];
    if (oldest !== undefined) lists.delete(oldest);
  };

  return {
    async read(tags) {
      const found = new Map<string, readonly RelatedCandidate[]>();
      const missing = new Map<string, SiteTag>();
      for (const tag of tags) {
        const key = tagKey(tag);
        const list = lists.get(key);
        if (list === undefined) missing.set(key, tag);
        else found.set(key, list);
      }
      const wanted = [...missing];
      for (let start = 0; start < wanted.length; start += loadsAtOnce) {
        const loads = wanted.slice(start, start + loadsAtOnce).map(async ([key, tag]) => {
          found.set(key, await load(key, tag));
        });
        await Promise.all(loads);
      }
      return found;
    },
  };
}
