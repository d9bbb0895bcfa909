import type { PublishedTexts } from '../search/texts/ports.js';
import {
  articleKey,
  type FoundText,
  type PublishedText,
  publishedArticle,
  publishedObject,
  type TextKey,
} from '../search/texts/search-text.js';
import { type EntryDocument, entryProjection, toArticle, toEntry } from './article-documents.js';
import type { Collections } from './documents.js';
import { toPublished } from './objects.js';

/** A body has up to 200 kB, so a part needs at most 10 MB. */
const partSize = 50;
const german = /^de(-|$)/i;

/** Reads published texts for search: by key, or all of them in parts. */
export function createSearchTexts({ articles, objects }: Pick<Collections, 'articles' | 'objects'>): PublishedTexts {
  const next = async (after: TextKey | undefined, language: object, signal: AbortSignal): Promise<PublishedText[]> => {
    const options = { sort: { _id: 1 as const }, limit: partSize, hint: '_id_', signal };
    const wanted = { state: 'published' as const, ...language };
    if (after === undefined || after.startsWith(articlePrefix)) {
      const filter = { ...wanted, _id: { $gt: after?.slice(articlePrefix.length) ?? '' } };
      const found = await articles.find(filter, options).toArray();
      if (found.length > 0) return found.map((each) => publishedArticle(toArticle(each)));
    }
    const id = after?.startsWith(objectPrefix) ? after.slice(objectPrefix.length) : '';
    const found = await objects.find({ ...wanted, _id: { $gt: id } }, options).toArray();
    return found.map((each) => publishedObject(toPublished(each)));
  };

  const readArticles = async <Text>(
    keys: readonly TextKey[],
    read: (filter: ReturnType<typeof published>) => Promise<Text[]>,
  ): Promise<Text[]> => {
    const ids = idsOf(keys, articlePrefix);
    return ids.length === 0 ? [] : read(published(ids));
  };
  const readObjects = async (keys: readonly TextKey[], signal: AbortSignal) => {
    const ids = idsOf(keys, objectPrefix);
    const found = ids.length === 0 ? [] : await objects.find(published(ids), { signal }).toArray();
    return found.map((each) => publishedObject(toPublished(each)));
  };

  return {
    async read(keys, signal) {
      const [foundArticles, foundObjects] = await Promise.all([
        readArticles(keys, (filter) => articles.find(filter, { signal }).toArray()),
        readObjects(keys, signal),
      ]);
      return [...foundArticles.map((each) => publishedArticle(toArticle(each))), ...foundObjects];
    },

    async readFound(keys, signal) {
      const options = { projection: entryProjection, signal };
      const [foundArticles, foundObjects] = await Promise.all([
        readArticles(keys, (filter) => articles.find<EntryDocument>(filter, options).toArray()),
        readObjects(keys, signal),
      ]);
      const entries = foundArticles.map(toEntry);
      return [
        ...entries.map((entry): FoundText => ({ key: articleKey(entry), kind: 'article', entry })),
        ...foundObjects,
      ];
    },

    next: (after, signal) => next(after, {}, signal),
    nextGerman: (after, signal) => next(after, { language: german }, signal),
  };
}

function published(ids: string[]) {
  return { _id: { $in: ids }, state: 'published' as const };
}

function idsOf(keys: readonly TextKey[], prefix: string): string[] {
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

const articlePrefix = 'article/';
const objectPrefix = 'object/';
