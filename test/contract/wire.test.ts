import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Client, credentials, loadPackageDefinition, Metadata, type ServiceError } from '@grpc/grpc-js';
import { loadSync, type PackageDefinition } from '@grpc/proto-loader';
import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { afterAll, describe, expect, test } from 'vitest';
import { articleToPut } from '../harness/articles.js';
import { fuzz } from '../harness/grpc-fuzz.js';
import { seedReading } from '../harness/reading.js';
import { asTester, type ServiceName, serviceNames, startSystem } from '../harness/system.js';

const protos = fileURLToPath(new URL('../../proto', import.meta.url));
const files = {
  content: ['content', 'editorial', 'search', 'search_counts'],
  quota: ['quota', 'quota_admin'],
  identity: ['identity', 'grant_admin'],
  contributions: ['contributions', 'moderation'],
} as const;

// biome-ignore lint/suspicious/noExplicitAny: the definitions and answers are those of the protos.
type Dynamic = any;
/** Calls a method, with a name of the actor for a write. */
type Invoke = (method: string, request: object, actor?: string) => Promise<Dynamic>;

/** Reads the same protos without ts-proto, to check the generated code. */
function definitionOf(service: keyof typeof files, longs: typeof Number | typeof String = Number): PackageDefinition {
  const paths = files[service].map((file) => `knowledge/${service}/v1/${file}.proto`);
  return loadSync(paths, {
    includeDirs: [protos, `${protos}/third_party`],
    keepCase: true,
    longs,
    enums: String,
    oneofs: true,
    defaults: true,
  });
}

const clients: Client[] = [];
/** Makes a client of a class, until the end of the tests. */
function connect<T extends Client>(
  Constructor: new (...args: ConstructorParameters<typeof Client>) => T,
  name: ServiceName,
): T {
  const client = new Constructor(system.addresses[name], credentials.createInsecure());
  clients.push(client);
  return client;
}

function callerOf(service: keyof typeof files, name: string): Invoke {
  const root: Dynamic = loadPackageDefinition(definitionOf(service));
  const client: Dynamic = connect(root.knowledge[service].v1[name], service);
  return (method, request, actor) => {
    const metadata = new Metadata();
    if (actor !== undefined) metadata.set('x-actor', actor);
    return new Promise((resolve, reject) => {
      client[method](request, metadata, (error: ServiceError | null, answer: unknown) =>
        error ? reject(error) : resolve(answer),
      );
    });
  };
}

const system = await startSystem();
afterAll(async () => {
  for (const client of clients) client.close();
  await system.close();
});
const callContent = callerOf('content', 'ContentService');
const callEditorial = callerOf('content', 'EditorialService');
await seedReading(system);

describe('a client that reads the protos independently', () => {
  test('must send an actor with a write, and gets failing fields in google.rpc.ErrorInfo', async () => {
    const { title, body } = articleToPut({ slug: 'by-wire' });
    const put = { site: 'SITE_ORG', slug: 'by-wire', title, body, publish: true };
    expect(await callEditorial('PutArticle', put, 'editor')).toMatchObject({
      outcome: 'PUT_OUTCOME_CREATED',
      article: { state: 'ARTICLE_STATE_PUBLISHED' },
    });
    expect(await callEditorial('PutArticle', put, 'editor')).toMatchObject({ outcome: 'PUT_OUTCOME_UNCHANGED' });
    const failed: ServiceError = await callEditorial('PutArticle', { ...put, slug: 'Not A Slug' }, 'editor').catch(
      (error) => error,
    );
    expect([failed.code, failed.details]).toEqual([3, expect.stringContaining('slug')]);
    expect(failed.metadata.get('grpc-status-details-bin').toString()).toContain('validation_error');
    const byNobody = { code: 3, details: expect.stringContaining('x-actor') };
    await expect(callEditorial('PutArticle', put)).rejects.toMatchObject(byNobody);
  });

  test('gets a separate response for each item of a batch with one bad item', async () => {
    const subject = { kind: 'SUBJECT_KIND_CLIENT_ID', value: randomUUID() };
    const charge = { policy: 'POLICY_READ_CLIENT_ID', subject };
    const items = [
      { id: randomUUID(), charges: [charge] },
      { id: '', charges: [] },
      { id: randomUUID(), charges: [charge] },
    ];
    const { results } = await callerOf('quota', 'QuotaService')('Consume', { items });
    expect(results.map(({ outcome }: Dynamic) => outcome)).toEqual(['granted', 'error', 'granted']);
    expect(results.map(({ granted }: Dynamic) => granted?.remaining)).toEqual([2, undefined, 1]);
  });

  test('finds every service by reflection', async () => {
    const definition = loadSync(fileURLToPath(new URL('./reflection.proto', import.meta.url)), { keepCase: true });
    for (const name of serviceNames) {
      const root: Dynamic = loadPackageDefinition(definition);
      const client: Dynamic = connect(root.grpc.reflection.v1.ServerReflection, name);
      const call = client.ServerReflectionInfo();
      const answered = once(call, 'data');
      call.write({ list_services: '' });
      const [{ list_services_response: response }] = await answered;
      const listed = response.service.filter((each: Dynamic) => each.name.startsWith(`knowledge.${name}.v1.`));
      expect(listed.length).toBeGreaterThan(1);
      call.end();
    }
  });
});

describe('every proto is documented and served', () => {
  test.each(serviceNames)(
    '%s: every service, rpc, message and field has a comment (buf lint) and a descriptor',
    (name) => {
      const described = readFileSync(`${protos}/dist/descriptors.binpb`).toString('latin1');
      for (const file of files[name]) expect(described).toContain(`knowledge/${name}/v1/${file}.proto`);
      const services = Object.keys(definitionOf(name)).filter(
        (key) => key.startsWith(`knowledge.${name}.v1.`) && key.endsWith('Service'),
      );
      expect(services.length).toBeGreaterThan(1);
    },
  );

  test('the actor is stored with the transition', async () => {
    const { article } = await system.clients.editorial.getArticleRecord(
      { site: 'SITE_ORG' as never, slug: 'field-note-1' },
      asTester(),
    );
    expect(article?.history[0]?.actor).toBe('tester');
  });
});

describe('values at the edge of what the wire can carry', () => {
  const largest = '9223372036854775807';
  test.each([
    [{ seconds: largest }, 'beyond 2^53 - 1'],
    [{ seconds: '1125899906842624' }, 'updated_since must be a time of the years 1 to 9999'],
    [{ seconds: '253402300800' }, 'updated_since must be a time of the years 1 to 9999'],
  ])('the time %j is refused with an explanation', async (updated_since, words) => {
    const refused = { code: 3, details: expect.stringContaining(words) };
    await expect(callContent('ListArticles', { site: 'SITE_ORG', updated_since })).rejects.toMatchObject(refused);
  });

  test.each(['9007199254740993', largest, `-${largest}`])('the revision %s is refused', async (expected_revision) => {
    const publish = { site: 'SITE_ORG', slug: 'field-note-1', expected_revision };
    await expect(callEditorial('PublishArticle', publish, 'editor')).rejects.toMatchObject({ code: 3 });
  });

  test('a nonce is returned unchanged, and a position of another log is treated as beyond the end', async () => {
    const { WatchChanges }: Dynamic = definitionOf('content', String)['knowledge.content.v1.ContentService'];
    const { path, requestSerialize, responseDeserialize } = WatchChanges;
    const stream = connect(Client, 'content').makeBidiStreamRequest(path, requestSerialize, responseDeserialize);
    const nonces = ['1764000000000000001', largest, `-${largest}`];
    stream.write({ start: { after_position: largest } });
    for (const nonce of nonces) stream.write({ ping: { nonce } });
    const answers: Dynamic[] = [];
    for await (const answer of stream) if (answers.push(answer) === 4) break;
    expect(Number(answers[0]?.started?.position)).toBeGreaterThan(0);
    expect(answers.slice(1).map(({ pong }) => pong?.nonce)).toEqual(nonces);
  });

  test('a text that is not UTF-8 is refused, and failing fields are named for programs', async () => {
    const client = connect(Client, 'content');
    const bytes = Buffer.from([0x08, 0x02, 0x12, 0x02, 0xc3, 0x28]);
    const path = '/knowledge.content.v1.EditorialService/GetArticleRecord';
    const error = await new Promise<ServiceError | null>((resolve) => {
      client.makeUnaryRequest(
        path,
        () => bytes,
        (answer) => answer,
        {},
        (refused) => resolve(refused),
      );
    });
    expect(error).toMatchObject({ code: 3, details: expect.stringContaining('not valid UTF-8') });
    const put = { site: 'SITE_ORG', slug: 'A', title: '' };
    const failed: ServiceError = await callEditorial('PutArticle', put, 'editor').catch((refused) => refused);
    const [status] = failed.metadata.get('grpc-status-details-bin');
    expect(String(status)).toContain('google.rpc.BadRequest');
  });
});

/** `npm run fuzz:grpc` makes more runs. A finding contains the seed with which it can be repeated. */
const runs = Number(process.env['FUZZ_RUNS'] ?? 12);
const seed = Number(process.env['FUZZ_SEED'] ?? 20261122);

test.each(serviceNames)(
  '%s never answers wild values with INTERNAL or UNKNOWN, whatever the method, and still works afterwards',
  { timeout: 60_000 + runs * 2000 },
  async (name) => {
    const { calls, findings } = await fuzz(system.addresses[name], { seed, runs });
    expect(findings).toEqual([]);
    expect(calls).toBeGreaterThanOrEqual(runs * 4);
    const { listArticles } = system.clients.content;
    const page = { site: Site.ORG, pageSize: 1, pageToken: '', query: '', tag: '', updatedSince: undefined };
    expect((await listArticles(page, asTester())).entries).toHaveLength(1);
    expect(system.processes[name]?.output()).not.toMatch(/"level":"(?:error|fatal)"/);
  },
);
