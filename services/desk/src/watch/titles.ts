import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { createConcurrencyLimit } from '@knowledge/runtime/client';
import type { Session } from '../session.js';
import { sites } from '../words.js';
import type { EventView } from './sources.js';

/** Finds the titles of the articles and other records in events. */
export interface Titles {
  /** Returns the current title of an article or object, or else the title in the event. Null if there is no title. */
  titleOf(event: EventView): Promise<string | null>;
}

const concurrency = 8;
const maxCached = 1000;

/**
 * Makes a reader of titles, because events of content have only slugs and ids. It caches titles and limits parallel
 * calls.
 */
export function createTitles(session: Session, now: () => number = Date.now): Titles {
  const lookUps = createConcurrencyLimit(concurrency);
  const cache = new Map<string, { readAt: number; title: Promise<string | null> }>();
  const read = titleReader(session);
  return {
    titleOf(event) {
      const lookUp = event.title === null && event.service === 'content' ? read(event) : undefined;
      if (lookUp === undefined) return Promise.resolve(event.title);
      const key = `${event.subject} ${event.site} ${'slug' in event ? event.slug : event.id}`;
      const cached = cache.get(key);
      // If the event happened after the title was read, the title may have changed.
      if (cached !== undefined && Date.parse(event.occurred_at ?? '') < cached.readAt) return cached.title;
      const title = lookUps.run(session.host.interrupted, lookUp).catch(() => null);
      cache.delete(key);
      cache.set(key, { readAt: now(), title });
      const [oldest] = cache.keys();
      if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
      return title;
    },
  };
}

/** Makes a function that returns how to read an event's title; undefined if the record has no title. */
function titleReader(session: Session): (event: EventView) => (() => Promise<string | null>) | undefined {
  const editorial = session.connect('content', EditorialServiceService);
  const content = session.connect('content', ContentServiceService);
  return (event) => {
    if ('slug' in event) {
      const name = { site: sites.toWire(event.site ?? undefined), slug: event.slug };
      return async () => (await editorial.getArticleRecord(name, session.callContext())).article?.entry?.title ?? null;
    }
    if (event.subject !== 'object') return undefined;
    return async () => (await content.getObject({ id: event.id }, session.callContext())).object?.entry?.title ?? null;
  };
}
