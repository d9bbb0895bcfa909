import type { PublishedTexts } from '../search/index/ports.js';
import { type PublishedText, publishedArticle, publishedObject, type TextKey } from '../search/index/search-text.js';
import { toArticle } from './article-documents.js';
import type { Collections } from './documents.js';
import { toPublished } from './objects.js';

/** A body has up to 200 kB, so a part needs at most 10 MB. */
const partSize = 50;
const german = /^de(-|$)/i;

/** Reads published texts for search: by key, or all of them in parts. */
export function createSearchTexts({ articles, objects }: Pick<Collections, 'articles' | 'objects'>): PublishedTexts {
  const next = async (after: TextKey | undefined, language: object, signal: AbortSignal): Promise<PublishedText[]> => {
    const options = { sort: { _id: 1 as const }, limit: partSize, hint: '_id_', signal };
    const published = { state: 'published' as const, ...language };
    if (after === undefined || after.startsWith(articlePrefix)) {
      const filter = { ...published, _id: { $gt: after?.slice(articlePrefix.length) ?? '' } };
      const found = await articles.find(filter, options).toArray();
      if (found.length > 0) return found.map((each) => publishedArticle(toArticle(each)));
    }
    const id = after?.startsWith(objectPrefix) ? after.slice(objectPrefix.length) : '';
    const found = await objects.find({ ...published, _id: { $gt: id } }, options).toArray();
    return found.map((each) => publishedObject(toPublished(each)));
  };

  return {
    async read(keys, signal) {
      const ids = (prefix: string): string[] =>
        keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
      const published = (prefix: string) => ({ _id: { $in: ids(prefix) }, state: 'published' as const });
      const [foundArticles, foundObjects] = await Promise.all([
        ids(articlePrefix).length === 0 ? [] : articles.find(published(articlePrefix), { signal }).toArray(),
        ids(objectPrefix).length === 0 ? [] : objects.find(published(objectPrefix), { signal }).toArray(),
      ]);
      return [
        ...foundArticles.map((each) => publishedArticle(toArticle(each))),
        ...foundObjects.map((each) => publishedObject(toPublished(each))),
      ];
    },
    next: (after, signal) => next(after, {}, signal),
    nextGerman: (after, signal) => next(after, { language: german }, signal),
  };
}

const articlePrefix = 'article/';
const objectPrefix = 'object/';
