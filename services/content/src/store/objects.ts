import {
  type CallContext,
  idRange,
  type ListPage,
  type ListPageQuery,
  readingTokens,
  type Site,
  toListPage,
} from '@knowledge/runtime';
import { afterPosition } from '@knowledge/runtime/mongodb';
import {
  type ObjectEntry,
  type ObjectKind,
  type ObjectOutcome,
  objectKinds,
  type PublishedObject,
  type StoredObject,
} from '../domain/community-object.js';
import type { CountChange, Writer } from './change-log.js';
import { type Collections, countsId, type ObjectDocument } from './documents.js';
import { indexes, objectProperties } from './schema.js';

/** The filter of a site's catalog. */
export interface CatalogFilter {
  readonly site: Site;
  /** The kind of objects; undefined means all kinds. */
  readonly kind: ObjectKind | undefined;
  /** The first characters of the id; undefined means any id. */
  readonly idPrefix?: string | undefined;
}

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
export function createObjectStore(writer: Writer, { objects, counts }: Collections) {
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
