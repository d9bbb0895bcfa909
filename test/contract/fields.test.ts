import { randomUUID } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ObjectKind } from '@knowledge/proto/knowledge/content/v1/content';
import { PutArticleRequest, PutObjectRequest, PutOutcome } from '@knowledge/proto/knowledge/content/v1/editorial';
import { load } from 'js-yaml';
import { type Document, MongoClient } from 'mongodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Desk, deskOf } from '../harness/desk.js';
import { call, freshReader } from '../harness/http.js';
import { anyValue, fieldsOf, type MessageField } from '../harness/message-fields.js';
import { asTester, type System, startSystem } from '../harness/system.js';
import { optionalFields } from './stored-fields.js';

/** The places that show an article. A place is an object with field names, or a text. */
type Place = 'index' | 'article' | 'OpenAPI' | 'Markdown' | 'page' | 'desk --json' | 'desk' | 'export';
/** The places that show an object of the catalog. */
type ObjectPlace = 'catalog' | 'object' | 'OpenAPI' | 'Markdown' | 'page' | 'desk --json' | 'desk';
/** The reason why a place does not show a field, or the text that the place shows instead. */
type Exceptions<Where extends string> = Record<string, Partial<Record<Where, string | { shown: string }>>>;

const articleExceptions: Exceptions<Place> = {
  site: {
    index: 'is said once, beside the entries',
    article: 'is said beside the article',
    OpenAPI: 'is said beside the article',
  },
  published_at: { page: { shown: '1 June 2026' } },
  updated_at: { page: 'is shown from the second revision on', export: 'is made by the service' },
  word_count: { page: { shown: '1 min read' }, export: 'is counted by the service' },
  reading_tokens: { page: 'is of use to programs only', export: 'is counted by the service' },
  language: { page: { shown: 'in German' } },
  revision: { page: 'is of no use to people' },
};

const objectExceptions: Exceptions<ObjectPlace> = {
  kind: { page: { shown: 'Knowledge' } },
  summary: { page: { shown: 'The first words' }, desk: 'the body follows' },
  published_at: { page: { shown: '1 June 2026' } },
  updated_at: { page: 'is told to search engines, not to people' },
  reading_tokens: { page: 'is of use to programs only' },
  edited_at: { page: 'nobody edited it; see edits.test.ts', desk: 'nobody edited it' },
  language: { page: { shown: 'in German' } },
};

const slug = 'every-field';
const samples: Record<string, unknown> = {
  site: Site.ORG,
  slug,
  title: 'Every field of it',
  summary: 'The first words',
  tags: ['tag-one'],
  author: 'Zoe Sample',
  language: 'de',
  body: 'Five words of a body.',
  publishedAt: new Date('2026-06-01T09:00:00Z'),
};
/** A second valid value for fields whose format does not allow just any text. */
const others: Record<string, unknown> = { tags: ['tag-two'], language: 'fr' };

const id = randomUUID();
const commands = new Set(['publish', 'expected_revision', 'reason', 'validate_only']);
const put = fieldsOf('PutArticleRequest').filter(({ name }) => !commands.has(name));
const values = Object.fromEntries(
  put.map((field, at) => [field.property, samples[field.property] ?? anyValue(field, at)]),
);

let system: System;
let desk: Desk;
let folder: string;
const places = {} as Record<Place, Document>;
const objectPlaces = {} as Record<ObjectPlace, Document>;

beforeAll(async () => {
  system = await startSystem();
  desk = deskOf(system);
  folder = mkdtempSync(join(tmpdir(), 'knowledge-fields-'));
  await putArticle({ publish: true });
  const sent: object = { ...samples, id, kind: ObjectKind.KNOWLEDGE };
  await system.clients.editorial.putObject(PutObjectRequest.fromPartial(sent), asTester());
  await desk.json('article', 'export', folder);
  const { components } = (await get('/api/v1/openapi.json')).json;
  Object.assign(places, {
    index: (await get('/api/v1/content?site=org')).json.entries[0],
    article: (await get(`/api/v1/content/${slug}?site=org`)).json.article,
    OpenAPI: components.schemas.ArticleEntry.properties,
    Markdown: frontMatter((await get(`/api/v1/content/${slug}?site=org`, { accept: 'text/markdown' })).text),
    page: (await get(`/articles/${slug}?site=org`)).text,
    'desk --json': await desk.json('article', 'show', slug),
    desk: (await desk.run('article', 'show', slug)).stdout,
    export: frontMatter(readFileSync(join(folder, 'org', `${slug}.md`), 'utf8')),
  });
  Object.assign(objectPlaces, {
    catalog: (await get('/api/v1/objects/catalog?site=org')).json.entries[0],
    object: (await get(`/api/v1/objects/${id}`)).json.object,
    OpenAPI: components.schemas.ObjectEntry.properties,
    Markdown: frontMatter((await get(`/api/v1/objects/${id}`, { accept: 'text/markdown' })).text),
    page: (await get(`/objects/${id}`)).text,
    'desk --json': await desk.json('object', 'show', id),
    desk: (await desk.run('object', 'show', id)).stdout,
  });
});
afterAll(async () => {
  await system?.close();
  if (folder) rmSync(folder, { recursive: true });
});

const get = (path: string, headers = {}) => call(`${system.url}${path}`, { headers: { ...freshReader(), ...headers } });
const frontMatter = (text: string) => load(/^---\n(.*?)\n---\n/s.exec(text)?.[1] ?? '') as Document;
const putArticle = async (part: object) => {
  const request: object = { ...values, ...part };
  return system.clients.editorial.putArticle(PutArticleRequest.fromPartial(request), asTester());
};

describe.each(fieldsOf('ArticleEntry'))('the field $name of an article', (field) => {
  test.each(['index', 'article', 'OpenAPI', 'Markdown', 'page', 'desk --json', 'desk', 'export'] as const)(
    'is shown in: %s',
    (place) => {
      const value = values[field.property] ?? places.article[field.name];
      expectShown(field, places[place], value, articleExceptions[field.name]?.[place]);
    },
  );
});

describe.each(fieldsOf('ObjectEntry'))('the field $name of an object', (field) => {
  test.each(['catalog', 'object', 'OpenAPI', 'Markdown', 'page', 'desk --json', 'desk'] as const)(
    'is shown in: %s',
    (place) => {
      const value = samples[field.property] ?? objectPlaces.object[field.name];
      expectShown(field, objectPlaces[place], value, objectExceptions[field.name]?.[place]);
    },
  );
});

describe('the fields that editors put', () => {
  test('are all shown, except the body', () => {
    const shown = new Set(fieldsOf('ArticleEntry').map(({ name }) => name));
    expect(put.map(({ name }) => name).filter((name) => !shown.has(name))).toEqual(['body']);
  });

  test.each(put.filter(({ name }) => name !== 'site' && name !== 'slug'))(
    'is another revision when only its $name differs',
    async (field) => {
      const other = others[field.property] ?? anyValue(field, put.length + 1);
      const { outcome } = await putArticle({ [field.property]: other, validateOnly: true });
      expect(outcome).toBe(PutOutcome.UPDATED);
    },
  );

  test('are the same after export and import', async () => {
    const imported = await desk.json<Document>('article', 'import', folder);
    expect(JSON.stringify(imported)).toContain('"unchanged":1');
  });
});

test('an article that was stored before a field was added has the default value', async () => {
  const client = new MongoClient(system.mongodbUri);
  const db = client.db(system.databases.content);
  // A gloss is no field of an entry: it has calls of its own.
  const newer = (await optionalFields(db, 'articles')).filter((name) => name !== 'gloss');
  if (newer.length > 0) {
    const unset = Object.fromEntries(newer.map((name) => [name, '']));
    await db.collection('articles').updateOne({ slug }, { $unset: unset });
  }
  await client.close();
  const { article } = await system.clients.editorial.getArticleRecord({ site: Site.ORG, slug }, asTester());
  expect(Object.values(article?.entry ?? {})).not.toContain('undefined');
  expect(Object.keys(article?.entry ?? {})).toEqual(expect.arrayContaining(newer));
});

function expectShown(
  field: MessageField,
  place: Document | string,
  value: unknown,
  exception?: string | { shown: string },
): void {
  if (typeof exception === 'string') return;
  if (typeof place === 'string') {
    expect(place).toContain(exception?.shown ?? inWords(value));
    return;
  }
  expect(place).toHaveProperty(field.name);
  const shown = place[field.name];
  if (!isSchema(shown)) expect(inWords(shown)).toBe(inWords(value));
}

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('type' in value || 'anyOf' in value || 'enum' in value);
}

// Writes an enum as its last word, and a time without seconds.
function inWords(value: unknown): string {
  const text = value instanceof Date ? value.toISOString() : String(value);
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return text.slice(0, 16).replace('T', ' ');
  return /^[A-Z]+(_[A-Z]+)+$/.test(text) ? (text.split('_').at(-1) ?? '').toLowerCase() : text;
}
