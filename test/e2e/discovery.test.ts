import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { confirmationMail, confirmUrl, freshEmail, sendJson } from '../harness/agent.js';
import { deskOf } from '../harness/desk.js';
import { call, type HttpResponse } from '../harness/http.js';
import { ownSystem } from '../harness/own.js';
import { seedReading } from '../harness/reading.js';
import { until } from '../harness/until.js';

const system = await ownSystem();
await seedReading(system);

/** A client that knows only the base URL. It may call only URLs from earlier responses. */
function createNewcomer(base: string) {
  const told: string[] = [base];
  return {
    told: () => told.join('\n'),
    async go(method: string, url: string, body?: unknown, headers: Record<string, string> = {}): Promise<HttpResponse> {
      const { origin, pathname } = new URL(url);
      expect(origin).toBe(base);
      const path = pathname === '/' ? base : pathname;
      expect([url, told.some((each) => each.includes(path))]).toEqual([url, true]);
      const answer =
        body === undefined ? await call(url, { method, headers }) : await sendJson(method, url, body, headers);
      told.push(answer.text, [...answer.headers].join('\n'));
      return answer;
    },
  };
}

type Newcomer = ReturnType<typeof createNewcomer>;

/** Confirms a request for access, like the human, who needs no document. */
async function confirm(email: string, userCode: string): Promise<void> {
  const mail = await confirmationMail(system, email);
  expect(mail.text).toContain(userCode);
  await sendJson('POST', confirmUrl(system, mail), {});
}
const approve = (id: string) => deskOf(system).json('review', 'approve', id, '--publish', '--yes');

/** Polls for the token in the way that the response describes, until the human has decided. */
async function pickUp(
  newcomer: Newcomer,
  base: string,
  exchange: Record<string, string>,
): Promise<HttpResponse['json']> {
  const { method = '', path = '', device_code } = exchange;
  const { json } = await newcomer.go(method, `${base}${path}`, { device_code });
  expect(json).toMatchObject({ ok: true, state: 'issued' });
  return json;
}

/** Follows the URLs in the response to a contribution until everybody can read the object. */
async function follow(newcomer: Newcomer, sent: HttpResponse, authorization: string): Promise<HttpResponse['json']> {
  expect(sent.status).toBe(201);
  const { status_url, object_url } = sent.json.contribution;
  expect(sent.headers.get('location')).toBe(status_url);
  expect((await newcomer.go('GET', status_url, undefined, { authorization })).json.contribution.state).toBe(
    'pending_review',
  );
  expect((await newcomer.go('GET', object_url)).status).toBe(404);
  await approve(sent.json.contribution.id);
  expect((await newcomer.go('GET', status_url, undefined, { authorization })).json.contribution.state).toBe(
    'published',
  );
  return until('the published story', async () => {
    const { status, json } = await newcomer.go('GET', object_url);
    return status === 200 && json.object;
  });
}

describe('an agent that knows only the base URL gets to a published story', () => {
  test('from the first page, only by its links and OpenAPI', async () => {
    const newcomer = createNewcomer(system.url);
    const first = await newcomer.go('GET', `${system.url}/`, undefined, { accept: 'text/html' });
    expect(first.headers.get('content-type')).toContain('text/html');
    const byHeader = /<([^>]+)>; rel="service-desc"/.exec(first.headers.get('link') ?? '')?.[1];
    const byHead = /<link rel="service-desc" href="([^"]+)"/.exec(first.text)?.[1];
    expect(byHead).toBe(byHeader);

    const { json: document } = await newcomer.go('GET', byHead ?? '');
    const [{ url: server }] = document.servers;
    const operations = Object.entries<Record<string, HttpResponse['json']>>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]) => ({ ...operation, method: method.toUpperCase(), path })),
    );
    // Chooses operations by their summaries, like a person who reads them.
    const about = (words: RegExp) => {
      const found = operations.filter(({ summary }) => words.test(summary));
      expect([words, found.map(({ summary }) => summary)]).toEqual([words, [expect.any(String)]]);
      const [operation] = found;
      return { ...operation, url: `${server}${operation.path}` };
    };

    const index = about(/index of articles/i);
    const { entries } = (await newcomer.go(index.method, index.url)).json;
    const reading = about(/one article;/i);
    const [naming] = reading.parameters.filter(({ name }: { name?: string }) => /client-id/i.test(name ?? ''));
    const article = await newcomer.go('GET', entries[0].api_url, undefined, {
      [naming.name]: `newcomer-${randomUUID()}`,
    });
    const schema = reading.responses[200].headers;
    expect([article.status, Object.keys(schema).every((name) => article.headers.has(name))]).toEqual([200, true]);

    const email = freshEmail();
    const asking = about(/ask your human/i);
    const [example] = Object.values<{ value: object }>(asking.requestBody.content['application/json'].examples);
    const asked = await newcomer.go(asking.method, asking.url, { ...example?.value, email });
    await confirm(email, asked.json.user_code);
    const { token, token_type } = await pickUp(newcomer, server, asked.json.token_exchange);
    expect(document.components.securitySchemes.bearer.scheme).toBe(token_type.toLowerCase());

    const sending = about(/send an inquiry, story/i);
    const { story } = sending.requestBody.content['application/json'].examples;
    const body = { ...story.value, title: `Found from the first page ${randomUUID()}` };
    const authorization = `${token_type} ${token}`;
    const sent = await newcomer.go(sending.method, sending.url, body, { authorization });
    expect(await follow(newcomer, sent, authorization)).toMatchObject({ title: body.title, body: body.body });
  });

  test('from /api/agent, only by the capabilities and their description of a story', async () => {
    const newcomer = createNewcomer(system.url);
    const first = await newcomer.go('GET', `${system.url}/`, undefined, { accept: 'text/html' });
    const start = /<([^>]+)>; rel="service-meta"/.exec(first.headers.get('link') ?? '')?.[1] ?? '';
    expect(new URL(start).pathname).toBe('/api/agent');
    const { json: entry } = await newcomer.go('GET', start);
    const { json: capabilities } = await newcomer.go('GET', `${entry.base_url}${entry.documentation.capabilities}`);
    const { endpoints, client_id, write_payloads } = capabilities;

    const index = await newcomer.go(endpoints.read_content_index.method, endpoints.read_content_index.url);
    const reader = { [client_id.header]: `newcomer-${randomUUID()}`, accept: 'text/markdown' };
    const article = await newcomer.go('GET', index.json.entries[0].api_url, undefined, reader);
    expect([article.status, article.text.startsWith('---\ntitle: ')]).toEqual([200, true]);

    // Fills the described fields with the smallest valid values.
    const filled = (fields: Record<string, Record<string, unknown>>, known: Record<string, string>) =>
      Object.fromEntries(
        Object.entries(fields).flatMap(([name, { required, value, min_length }]) =>
          required === true ? [[name, known[name] ?? value ?? 'A field.'.padEnd(Number(min_length ?? 0), '.')]] : [],
        ),
      );
    const openApi = (await newcomer.go('GET', `${entry.base_url}${entry.documentation.openapi}`)).json;
    const asks = endpoints.agent_authorize;
    const { schema } = openApi.paths[asks.path][asks.method.toLowerCase()].requestBody.content['application/json'];
    const { required } = openApi.components.schemas[schema.$ref.split('/').at(-1)];
    const email = freshEmail();
    const facts: Record<string, string> = { email, agent_name: 'Newcomer' };
    const { scope, method, path, auth, body: fields } = write_payloads.story;
    const asked = await newcomer.go(asks.method, asks.url, {
      ...Object.fromEntries(required.map((name: string) => [name, facts[name]])),
      scopes: [scope],
    });
    await confirm(email, asked.json.user_code);
    const { token } = await pickUp(newcomer, system.url, asked.json.token_exchange);

    expect([auth, endpoints.write_contribution.headers.Authorization.description]).toEqual([
      'bearer',
      expect.stringContaining('Bearer <write_token>'),
    ]);
    const authorization = `Bearer ${token}`;
    const title = `Found from /api/agent ${randomUUID()}`;
    const sent = await newcomer.go(method, `${system.url}${path}?site=org`, filled(fields, { title }), {
      authorization,
    });
    expect(await follow(newcomer, sent, authorization)).toMatchObject({ kind: 'story', title });
    // The catalog shows the story to everybody.
    const catalog = await newcomer.go('GET', endpoints.read_objects_catalog.url);
    expect(catalog.json.entries.map((each: { title: string }) => each.title)).toContain(title);
  });
});
