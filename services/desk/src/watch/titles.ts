import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { createConcurrencyLimit } from '@knowledge/runtime/watch';
import type { Session } from '../session.js';
import { sites } from '../words.js';
import type { EventView } from './sources.js';

/** Finds the titles of the things that events are about. */
export interface Titles {
  /** The current title of an article or object, else the title in the event. Null if unknown. */
  titleOf(event: EventView): Promise<string | null>;
}

const concurrency = 8;
const maxCached = 1000;

/** Looks up titles, because the events of content have only slugs and ids. Caches them, and limits parallel reads. */
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
      // A change after the title was read may have changed the title.
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

/** Gives a function that reads the title for an event; undefined if the thing has none. */
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
