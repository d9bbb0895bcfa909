import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { createTurnstile } from '@knowledge/runtime/watch';
import type { Session } from '../session.js';
import { sites } from '../words.js';
import type { EventView } from './sources.js';

/** What events are about, in words. */
export interface Titles {
  /** The title of an article or object as it is now; what the stream says of others. Null for none, and if it cannot be read. */
  titleOf(event: EventView): Promise<string | null>;
}

const concurrency = 8;
const maxCached = 1000;

/** The streams of content name slugs and ids alone: their titles are read once for many events, a few at a time. */
export function createTitles(session: Session, now: () => number = Date.now): Titles {
  const turnstile = createTurnstile(concurrency);
  const cache = new Map<string, { readAt: number; title: Promise<string | null> }>();
  const read = titleReader(session);
  return {
    titleOf(event) {
      const lookUp = event.title === null && event.service === 'content' ? read(event) : undefined;
      if (lookUp === undefined) return Promise.resolve(event.title);
      const key = `${event.subject} ${event.site} ${'slug' in event ? event.slug : event.id}`;
      const cached = cache.get(key);
      // What changed after it was read may have another title.
      if (cached !== undefined && Date.parse(event.occurred_at ?? '') < cached.readAt) return cached.title;
      const title = turnstile.pass(session.host.interrupted, lookUp).catch(() => null);
      cache.delete(key);
      cache.set(key, { readAt: now(), title });
      const [oldest] = cache.keys();
      if (cache.size > maxCached && oldest !== undefined) cache.delete(oldest);
      return title;
    },
  };
}

/** How the title of what an event is about is read; undefined for what has none. */
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
