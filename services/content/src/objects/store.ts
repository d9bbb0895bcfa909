import { type CallContext, idRange, type ListPageQuery, type Site } from '@knowledge/runtime';
import {
  type CollectionDeclaration,
  date,
  dateOrNull,
  listPage,
  objectOf,
  text,
  whole,
} from '@knowledge/runtime/mongodb';
import type { Db, Document } from 'mongodb';
import { gloss, site } from '../base/documents.js';
import type { GlossRecord } from '../base/search-words.js';
import { type ChangeCollections, type CountChange, countsId, type Writer } from '../changes/store.js';
import {
  type ObjectEntry,
  type ObjectKind,
  type ObjectOutcome,
  type ObjectPrompt,
  objectKinds,
  type PublishedObject,
  type StoredObject,
  type Tombstone,
} from './domain.js';

/** The filter of a site's catalog. */
export interface CatalogFilter {
  readonly site: Site;
  /** The kind of objects; undefined means all kinds. */
  readonly kind: ObjectKind | undefined;
  /** The first characters of the id; undefined means any id. */
  readonly idPrefix?: string | undefined;
}

/** The names of the indexes, which queries pass as hints. */
const indexes = {
  /** The catalog of a site. */
  catalog: 'catalog',
  /** The catalog of a site and kind. */
  kinds: 'kinds',
} as const;

/** The BSON type of each stored field of an object beside its id and state, also of a retracted one. */
const commonProperties: Readonly<Record<Exclude<keyof Tombstone, 'id' | 'state'>, Document>> = {
  site,
  source: { enum: ['contribution', 'editorial'] },
  revision: whole,
  publishedAt: dateOrNull,
  updatedAt: date,
};

/** The BSON type of each field that only a published object has. */
const publishedProperties: Readonly<Record<Exclude<keyof PublishedObject, keyof Tombstone>, Document>> = {
  kind: { enum: [...objectKinds] },
  title: text,
  summary: text,
  author: text,
  language: text,
  readingTokens: whole,
  editedAt: date,
  prompt: objectOf({ id: text, question: text }),
  body: text,
};

type Call = Pick<CallContext, 'signal'>;

/** What a list does not read. */
const entryProjection = { body: 0, prompt: 0, gloss: 0 } as const;

/** The order of the catalog. */
const newestFirst = { publishedAt: -1, _id: 1 } as const;

export type ObjectStore = ReturnType<typeof createObjectStore>;

/** Community objects of the catalog. */
export function createObjectStore(writer: Writer, { objects, counts }: ObjectCollections & ChangeCollections) {
  return {
    async published(id: string, signal: AbortSignal) {
      const found = await objects.findOne<PublishedDocument>({ _id: id, state: 'published' }, { signal });
      return found === null ? undefined : toPublished(found);
    },

    /** Lists published objects, newest first, then by id. */
    page({ site, kind, idPrefix }: CatalogFilter, query: ListPageQuery, signal: AbortSignal) {
      const narrowed = { ...(kind && { kind }), ...(idPrefix !== undefined && { _id: idRange(idPrefix) }) };
      const filter = { site, state: 'published' as const, ...narrowed };
      const listed = kind === undefined ? indexes.catalog : indexes.kinds;
      const toItem = (found: ObjectDocument): ObjectEntry => toPublished(found as PublishedDocument);
      const hint = idPrefix === undefined ? listed : '_id_';
      const options = { projection: entryProjection, hint, signal };
      return listPage(objects, { filter, order: newestFirst, toItem }, query, options);
    },

    /** The number of published objects. It reads the stored counts. */
    async total({ site, kind }: CatalogFilter, signal: AbortSignal) {
      const found = await counts.findOne({ _id: countsId }, { projection: { objects: 1 }, signal });
      const byKind = found?.objects?.[site] ?? {};
      const kinds = kind === undefined ? objectKinds : [kind];
      return kinds.reduce((sum, each) => sum + (byKind[each] ?? 0), 0);
    },

    /**
     * Calls the rule with the current object, and stores the outcome, the counts and the log in one transaction. With
     * `validateOnly` it stores nothing.
     */
    async change<Outcome extends ObjectOutcome>(
      id: string,
      decide: (before: StoredObject | undefined) => Outcome,
      { signal }: Call,
      validateOnly = false,
    ): Promise<Outcome> {
      const decideOn = (found: ObjectDocument | null) => decide(found === null ? undefined : toObject(found));
      if (validateOnly) return decideOn(await objects.findOne({ _id: id }, { signal }));
      return writer.write(async ({ scope, append }) => {
        const found = await objects.findOne({ _id: id }, scope);
        const decided = decideOn(found);
        if (decided.outcome === 'unchanged') return decided;
        const { before, object, transition } = decided;
        await append({ subject: 'object', site: object.site, key: id, tags: [], transition }, move(before, object));
        // A text keeps its gloss.
        const gloss = object.state === 'published' && found?.state === 'published' && found.gloss;
        const document = { ...fromObject(object), ...(gloss && { gloss }) };
        if (before === undefined) await objects.insertOne(document, scope);
        else await objects.replaceOne({ _id: id }, document, scope);
        return decided;
      }, signal);
    },
  };
}

function move(before: StoredObject | undefined, after: StoredObject): CountChange {
  return {
    objects: [
      ...(before?.state === 'published' ? [{ site: before.site, kind: before.kind, by: -1 }] : []),
      ...(after.state === 'published' ? [{ site: after.site, kind: after.kind, by: 1 }] : []),
    ],
  };
}

function toObject(document: ObjectDocument): StoredObject {
  if (document.state === 'published') return toPublished(document);
  const { _id: id, publishedAt, ...facts } = document;
  return { id, ...facts, publishedAt: publishedAt ?? undefined };
}

/** A field of a later release gets its default here, for a document that was stored without it. */
export function toPublished({ _id: id, gloss: _, ...document }: PublishedDocument): PublishedObject {
  return { ...document, id, prompt: document.prompt };
}

function fromObject(object: StoredObject): ObjectDocument {
  if (object.state === 'retracted') {
    const { id: _id, publishedAt = null, ...facts } = object;
    return { _id, ...facts, publishedAt };
  }
  const { id: _id, prompt, editedAt, ...facts } = object;
  return { _id, ...facts, ...(prompt && { prompt: { ...prompt } }), ...(editedAt && { editedAt }) };
}

/** A document in `objects`: a published object, or the record of a retracted one. Its `_id` is a UUID. */
export type ObjectDocument = PublishedDocument | TombstoneDocument;

interface TombstoneDocument extends Omit<Tombstone, 'id' | 'publishedAt'> {
  readonly _id: string;
  readonly publishedAt: Date | null;
}

export interface PublishedDocument extends Omit<PublishedObject, 'id' | 'prompt'> {
  readonly _id: string;
  readonly prompt?: ObjectPrompt;
  readonly gloss?: GlossRecord;
}

export type ObjectCollections = ReturnType<typeof objectsOf>;

export function objectsOf(db: Db) {
  return { objects: db.collection<ObjectDocument>('objects') };
}

export const objectsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'objects',
    validator: {
      $jsonSchema: objectOf(
        {
          _id: text,
          ...commonProperties,
          state: { enum: ['published', 'retracted'] },
          ...publishedProperties,
          gloss,
        },
        ['gloss', ...Object.keys(publishedProperties)],
      ),
    },
    indexes: [
      { name: indexes.catalog, key: { site: 1, state: 1, publishedAt: -1, _id: 1 } },
      { name: indexes.kinds, key: { site: 1, state: 1, kind: 1, publishedAt: -1, _id: 1 } },
    ],
  },
];
