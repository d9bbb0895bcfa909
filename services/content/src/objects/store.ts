import {
  type CallContext,
  idRange,
  type ListPage,
  type ListPageQuery,
  readingTokens,
  type Site,
  toListPage,
} from '@knowledge/runtime';
import {
  afterPosition,
  type CollectionDeclaration,
  date,
  dateOrNull,
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
  type ObjectSource,
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

/** The BSON type of each stored field of an object beside its id and state. */
const objectProperties: Readonly<Record<Exclude<keyof PublishedObject, 'id' | 'state'>, Document>> = {
  site,
  source: { enum: ['contribution', 'editorial'] },
  revision: whole,
  publishedAt: dateOrNull,
  updatedAt: date,
  kind: { enum: [...objectKinds] },
  title: text,
  summary: text,
  author: text,
  language: text,
  readingTokens: whole,
  editedAt: date,
  prompt: objectOf(['id', 'question'], { id: text, question: text }),
  body: text,
};

type Decide<Before extends StoredObject | undefined, After extends StoredObject> = (
  before: StoredObject | undefined,
) => ObjectOutcome<Before, After>;

type Call = Pick<CallContext, 'signal'>;

const entryFields = ['state', ...Object.keys(objectProperties).filter((name) => !['body', 'prompt'].includes(name))];

/**
 * The fields that a list reads. An older release stored no `readingTokens`, and its default must not cost a body, so the
 * server divides the bytes by those of an average token.
 */
const entryProjection = {
  ...Object.fromEntries(entryFields.map((name) => [name, 1])),
  readingTokens: {
    $ifNull: ['$readingTokens', { $ceil: { $divide: [{ $strLenBytes: { $ifNull: ['$body', ''] } }, 4] } }],
  },
} as const;

/** The order of the catalog. */
const newestFirst = { publishedAt: -1, _id: 1 } as const;

export type ObjectStore = ReturnType<typeof createObjectStore>;

/** Community objects of the catalog. */
export function createObjectStore(writer: Writer, { objects, counts }: ObjectCollections & ChangeCollections) {
  return {
    async published(id: string, signal: AbortSignal) {
      const found = await objects.findOne({ _id: id, state: 'published' }, { signal });
      const object = found === null ? undefined : toObject(found);
      return object?.state === 'published' ? object : undefined;
    },

    /** Lists published objects, newest first, then by id. */
    async page(
      { site, kind, idPrefix }: CatalogFilter,
      { size, after }: ListPageQuery,
      signal: AbortSignal,
    ): Promise<ListPage<ObjectEntry>> {
      const narrowed = { ...(kind && { kind }), ...(idPrefix !== undefined && { _id: idRange(idPrefix) }) };
      const filter = { site, state: 'published' as const, ...narrowed };
      const listed = kind === undefined ? indexes.catalog : indexes.kinds;
      const found = await objects
        .find<ObjectDocument>(afterPosition<ObjectDocument>(filter, newestFirst, after), {
          projection: entryProjection,
          sort: newestFirst,
          hint: idPrefix === undefined ? listed : '_id_',
          limit: size + 1,
          signal,
        })
        .toArray();
      return toListPage(found.map(toPublished), size, ({ publishedAt, id }) => ({ at: publishedAt, id }));
    },

    /** The number of published objects. It reads the stored counts. */
    async total({ site, kind }: CatalogFilter, signal: AbortSignal) {
      const found = await counts.findOne({ _id: countsId }, { projection: { objects: 1 }, signal });
      const byKind = found?.objects?.[site] ?? {};
      const kinds = kind === undefined ? objectKinds : [kind];
      return kinds.reduce((sum, each) => sum + (byKind[each] ?? 0), 0);
    },

    /** Calls the rule with the current object, and stores the outcome, the counts and the log in one transaction. */
    change: <Before extends StoredObject | undefined, After extends StoredObject>(
      id: string,
      decide: Decide<Before, After>,
      { signal }: Call,
    ): Promise<ObjectOutcome<Before, After>> =>
      writer.write(async ({ scope, append }) => {
        const found = await objects.findOne({ _id: id }, scope);
        const decided = decide(found === null ? undefined : toObject(found));
        if (decided.outcome === 'unchanged') return decided;
        const { before, object, transition } = decided;
        await append({ subject: 'object', site: object.site, key: id, tags: [], transition }, move(before, object));
        // A text keeps its gloss.
        const gloss = object.state === 'published' && found?.gloss;
        const document = { ...fromObject(object), ...(gloss && { gloss }) };
        if (before === undefined) await objects.insertOne(document, scope);
        else await objects.replaceOne({ _id: id }, document, scope);
        return decided;
      }, signal),

    /** Calls the rule like `change`, but stores nothing. */
    async preview<Before extends StoredObject | undefined, After extends StoredObject>(
      id: string,
      decide: Decide<Before, After>,
      { signal }: Call,
    ) {
      const found = await objects.findOne({ _id: id }, { signal });
      return decide(found === null ? undefined : toObject(found));
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
  const { _id: id, site, state, source, revision } = document;
  const publishedAt = document.publishedAt ?? undefined;
  return { id, site, state, source, revision, updatedAt: document.updatedAt, publishedAt };
}

export function toPublished({ _id: id, gloss: _, ...document }: ObjectDocument): PublishedObject {
  const { body = '', prompt, publishedAt, updatedAt } = document;
  return {
    kind: 'knowledge',
    title: '',
    summary: '',
    author: '',
    language: '',
    ...document,
    id,
    state: 'published',
    body,
    prompt,
    publishedAt: publishedAt ?? updatedAt,
    readingTokens: document.readingTokens ?? readingTokens(body),
  };
}

function fromObject(object: StoredObject): ObjectDocument {
  const { id: _id, site, state, source, revision } = object;
  const publishedAt = object.publishedAt ?? null;
  const common = { _id, site, state, source, revision, publishedAt, updatedAt: object.updatedAt };
  if (object.state === 'retracted') return common;
  const { id: _, prompt, editedAt, ...facts } = object;
  return { ...facts, ...common, ...(prompt && { prompt: { ...prompt } }), ...(editedAt && { editedAt }) };
}

/** A document in `objects`: a published object, or the record of a retracted one. */
export interface ObjectDocument extends Partial<Omit<PublishedObject, keyof Tombstone>> {
  /** A UUID. */
  _id: string;
  site: Site;
  state: 'published' | 'retracted';
  source: ObjectSource;
  revision: number;
  publishedAt: Date | null;
  updatedAt: Date;
  gloss?: GlossRecord;
}

export type ObjectCollections = ReturnType<typeof objectsOf>;

export function objectsOf(db: Db) {
  return { objects: db.collection<ObjectDocument>('objects') };
}

export const objectsSchema: readonly CollectionDeclaration[] = [
  {
    name: 'objects',
    validator: {
      $jsonSchema: objectOf(['site', 'state', 'source', 'revision', 'updatedAt', 'publishedAt'], {
        _id: text,
        ...objectProperties,
        state: { enum: ['published', 'retracted'] },
        gloss,
      }),
    },
    indexes: [
      { name: indexes.catalog, key: { site: 1, state: 1, publishedAt: -1, _id: 1 } },
      { name: indexes.kinds, key: { site: 1, state: 1, kind: 1, publishedAt: -1, _id: 1 } },
    ],
  },
];
