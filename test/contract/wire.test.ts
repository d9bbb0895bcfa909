import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Client, credentials, loadPackageDefinition, Metadata, type ServiceError } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { articleToPut } from '../harness/articles.js';
import { seedReading } from '../harness/reading.js';
import { asTester, type System, serviceNames, startSystem } from '../harness/system.js';

const protos = fileURLToPath(new URL('../../proto', import.meta.url));
const files = {
  content: ['content', 'editorial'],
  quota: ['quota', 'quota_admin'],
  identity: ['identity', 'grant_admin'],
  contributions: ['contributions', 'moderation'],
} as const;

type Dynamic = Client &
  Record<
    string,
    (request: unknown, metadata: Metadata, done: (error: ServiceError | null, answer: unknown) => void) => void
  >;

let system: System;

/** The independent reader of the same files: nothing of ts-proto takes part in it. */
function definitionOf(service: keyof typeof files): PackageDefinition {
  const paths = files[service].map((file) => `knowledge/${service}/v1/${file}.proto`);
  return loadSync(paths, {
    includeDirs: [protos, `${protos}/third_party`],
    keepCase: true,
    longs: Number,
    enums: String,
    oneofs: true,
    defaults: true,
  });
}

function dynamicClient(service: keyof typeof files, name: string, address: string): Dynamic {
  const root = loadPackageDefinition(definitionOf(service)) as unknown as Record<
    string,
    Record<string, Record<string, Record<string, new (address: string, credentials: unknown) => Dynamic>>>
  >;
  const Constructor = root['knowledge']?.[service]?.['v1']?.[name];
  if (Constructor === undefined) throw new Error(`No ${name}`);
  return new Constructor(address, credentials.createInsecure());
}

function invoke(client: Dynamic, method: string, request: unknown, actor?: string): Promise<unknown> {
  const metadata = new Metadata();
  if (actor !== undefined) metadata.set('x-actor', actor);
  return new Promise((resolve, reject) => {
    client[method]?.(request, metadata, (error, answer) => (error ? reject(error) : resolve(answer)));
  });
}

beforeAll(async () => {
  system = await startSystem();
  await seedReading(system);
});
afterAll(() => system?.close());

describe('architecture.md, Contracts: an independent reader of the protos and the services understand each other', () => {
  test('a public read, field by field', async () => {
    const client = dynamicClient('content', 'ContentService', system.addresses.content);
    const page = (await invoke(client, 'ListArticles', { site: 'SITE_ORG', page_size: 2 })) as {
      entries: Record<string, unknown>[];
      total: number;
      next_page_token: string;
    };
    expect(page.total).toBe(7);
    expect(page.entries[0]).toMatchObject({
      site: 'SITE_ORG',
      slug: 'field-note-1',
      tags: ['identity', 'rollout'],
      language: 'en',
      published_at: { seconds: Date.UTC(2026, 5, 30, 9) / 1000 },
    });
    expect(page.next_page_token).not.toBe('');
    client.close();
  });

  test('an internal write needs its actor and names a failing field in google.rpc.ErrorInfo', async () => {
    const client = dynamicClient('content', 'EditorialService', system.addresses.content);
    const { title, body } = articleToPut({ slug: 'by-wire' });
    const put = { site: 'SITE_ORG', slug: 'by-wire', title, body, publish: true };
    expect(await invoke(client, 'PutArticle', put, 'editor')).toMatchObject({
      outcome: 'PUT_OUTCOME_CREATED',
      article: { state: 'ARTICLE_STATE_PUBLISHED' },
    });
    expect(await invoke(client, 'PutArticle', put, 'editor')).toMatchObject({ outcome: 'PUT_OUTCOME_UNCHANGED' });
    const failed = (await invoke(client, 'PutArticle', { ...put, slug: 'Not A Slug' }, 'editor').catch(
      (error: ServiceError) => error,
    )) as ServiceError;
    expect([failed.code, failed.details]).toEqual([3, expect.stringContaining('slug')]);
    expect(failed.metadata.get('grpc-status-details-bin').toString()).toContain('validation_error');
    client.close();
  });

  test('a batch with one bad item answers each on its own', async () => {
    const client = dynamicClient('quota', 'QuotaService', system.addresses.quota);
    const charge = {
      policy: 'POLICY_READ_CLIENT_ID',
      subject: { kind: 'SUBJECT_KIND_CLIENT_ID', value: randomUUID() },
    };
    const items = [
      { id: randomUUID(), charges: [charge] },
      { id: '', charges: [] },
      { id: randomUUID(), charges: [charge] },
    ];
    const { results } = (await invoke(client, 'Consume', { items })) as {
      results: { outcome: string; granted?: { remaining: number } }[];
    };
    expect(results.map(({ outcome }) => outcome)).toEqual(['granted', 'error', 'granted']);
    expect(results.map(({ granted }) => granted?.remaining)).toEqual([2, undefined, 1]);
    client.close();
  });

  test('reflection tells every service by name', async () => {
    const definition = loadSync(fileURLToPath(new URL('./reflection.proto', import.meta.url)), { keepCase: true });
    for (const name of serviceNames) {
      const root = loadPackageDefinition(definition) as unknown as {
        grpc: {
          reflection: {
            v1: {
              ServerReflection: new (
                address: string,
                credentials: unknown,
              ) => Client & { ServerReflectionInfo(): NodeJS.ReadWriteStream };
            };
          };
        };
      };
      const client = new root.grpc.reflection.v1.ServerReflection(system.addresses[name], credentials.createInsecure());
      const call = client.ServerReflectionInfo();
      const listed = new Promise<string[]>((resolve, reject) => {
        call.on('data', (answer: { list_services_response: { service: { name: string }[] } }) =>
          resolve(answer.list_services_response.service.map((each) => each.name)),
        );
        call.on('error', reject);
      });
      call.write({ list_services: '' } as never);
      expect((await listed).filter((each) => each.startsWith(`knowledge.${name}.v1.`)).length).toBeGreaterThan(1);
      call.end();
      client.close();
    }
  });
});

describe('architecture.md, Contracts: every proto is documented and served', () => {
  test.each(serviceNames)(
    '%s: no service, rpc, message or field is without a comment (buf lint), and all are among the descriptors',
    (name) => {
      const described = readFileSync(`${protos}/dist/descriptors.binpb`).toString('latin1');
      for (const file of files[name]) expect(described).toContain(`knowledge/${name}/v1/${file}.proto`);
      const services = Object.keys(definitionOf(name)).filter(
        (key) => key.startsWith(`knowledge.${name}.v1.`) && key.endsWith('Service'),
      );
      expect(services.length).toBeGreaterThan(1);
    },
  );

  test('who acts is stored with the transition', async () => {
    const { article } = await system.clients.editorial.getArticleRecord(
      { site: 'SITE_ORG' as never, slug: 'field-note-1' },
      asTester(),
    );
    expect(article?.history[0]?.actor).toBe('tester');
  });
});
