import {
  type ArticleCollections,
  type ArticleDocument,
  type EntryDocument,
  entryProjection,
  toArticle,
  toEntry,
} from '../articles/documents.js';
import { type ObjectCollections, type PublishedDocument, toPublished } from '../objects/store.js';
import {
  articleKey,
  type FoundText,
  type PublishedText,
  type PublishedTexts,
  type TextKey,
} from './texts/search-text.js';

/** A body has up to 200 kB, so a part needs at most 10 MB. */
const partSize = 50;

/** Reads published texts for search: by key, or all of them in parts. */
export function createSearchTexts({ articles, objects }: ArticleCollections & ObjectCollections): PublishedTexts {
  const next = async (after: TextKey | undefined, signal: AbortSignal): Promise<PublishedText[]> => {
    const options = { sort: { _id: 1 as const }, limit: partSize, hint: '_id_', signal };
    const wanted = { state: 'published' as const };
    if (after === undefined || after.startsWith(articlePrefix)) {
      const filter = { ...wanted, _id: { $gt: after?.slice(articlePrefix.length) ?? '' } };
      const found = await articles.find(filter, options).toArray();
      if (found.length > 0) return found.map(ofArticle);
    }
    const id = after?.startsWith(objectPrefix) ? after.slice(objectPrefix.length) : '';
    return (await objects.find<PublishedDocument>({ ...wanted, _id: { $gt: id } }, options).toArray()).map(ofObject);
  };

  const read = async <Text extends FoundText>(
    keys: readonly TextKey[],
    readArticles: (filter: ReturnType<typeof published>) => Promise<Text[]>,
    signal: AbortSignal,
  ) => {
    const [slugs, ids] = [idsOf(keys, articlePrefix), idsOf(keys, objectPrefix)];
    const [foundArticles, foundObjects] = await Promise.all([
      slugs.length === 0 ? [] : readArticles(published(slugs)),
      ids.length === 0 ? [] : objects.find<PublishedDocument>(published(ids), { signal }).toArray(),
    ]);
    return [...foundArticles, ...foundObjects.map(ofObject)];
  };

  return {
    read: (keys, signal) =>
      read(keys, async (filter) => (await articles.find(filter, { signal }).toArray()).map(ofArticle), signal),

    readFound(keys, signal) {
      const options = { projection: entryProjection, signal };
      const readArticles = async (filter: ReturnType<typeof published>): Promise<FoundText[]> => {
        const entries = (await articles.find<EntryDocument>(filter, options).toArray()).map(toEntry);
        return entries.map((entry) => ({ key: articleKey(entry), kind: 'article', entry }));
      };
      return read(keys, readArticles, signal);
    },

    next,
  };
}

function ofArticle(document: ArticleDocument): PublishedText {
  return { key: articleKey(document), kind: 'article', entry: toArticle(document), gloss: document.gloss };
}

function ofObject(document: PublishedDocument): PublishedText {
  const entry = toPublished(document);
  return { key: `object/${entry.id}`, kind: entry.kind, entry, gloss: document.gloss };
}

function published(ids: string[]) {
  return { _id: { $in: ids }, state: 'published' as const };
}

function idsOf(keys: readonly TextKey[], prefix: string) {
  return keys.filter((key) => key.startsWith(prefix)).map((key) => key.slice(prefix.length));
}

const articlePrefix = 'article/';
const objectPrefix = 'object/';
