import { setTimeout as pause } from 'node:timers/promises';
import { cpuMs } from '@knowledge/runtime/testing';
import fastify from 'fastify';
import { afterAll, expect, it } from 'vitest';
import type { Documents } from '../../documents/documents.js';
import { registerBodyParsing } from '../../http/body-parsing.js';
import { registerErrorHandler } from '../../http/error-handler.js';
import { registerRequestChecks } from '../../http/request-checks.js';
import { registerMcp } from '../../mcp/route.js';
import { limits } from '../../protocol/limits.js';
import { tools } from '../../protocol/mcp-tools.js';
import { type Keywords, keywordsOf, routePath } from '../../protocol/operation.js';
import { allOperations } from '../../protocol/operations.js';
import { sites, watch } from '../../testing/stand-ins.js';
import { registerValidation } from './validation.js';

/** How many times the parsing of as many bytes with many keys a body may cost. It is 2 to 3 where nothing else runs. */
const mostParsings = 4;

const withBody = allOperations.filter(({ body }) => body !== undefined);

const app = fastify({ bodyLimit: limits.requestBytes, routerOptions: { maxParamLength: limits.targetBytes } });
afterAll(() => app.close());
registerErrorHandler(app, () => '');
registerValidation(app);
registerRequestChecks(app, { config: { HSTS_SECONDS: 0 }, watch });
registerBodyParsing(app);
for (const operation of allOperations) {
  const { method, query, body } = operation;
  const schema = { ...(query && { querystring: query }), ...(body && { body }) };
  app.route({ method, url: routePath(operation), schema, handler: async () => ({ ok: true }) });
}
registerMcp(app, { documents: {} as Documents, sites });
await app.ready();

/** Makes the bodies that cost most CPU time, each of the largest allowed size, with the fields of a schema. */
function worstBodies(fields: readonly string[], own: Readonly<Record<string, unknown>>): [string, string][] {
  const room = limits.requestBytes - 2_000;
  const list = (item: (at: number) => unknown, length: number) => Array.from({ length }, (_, at) => item(at));
  const values: [string, () => unknown][] = [
    ['many different numbers', () => list((at) => at, room / 8)],
    ['many different texts', () => list((at) => `write:${at}`, room / 16)],
    ['one text many times', () => list(() => 'write:story', room / 14)],
    ['many objects', () => list((at) => ({ a: at }), room / 14)],
    ['a long text', () => 'a'.repeat(room)],
    ['a text of white space', () => `${' '.repeat(room / 2)}a${' '.repeat(room / 2)}`],
    ['a text of pairs', () => '😀'.repeat(room / 4)],
    ['a text that almost is an address', () => `${'a.'.repeat(room / 4)}@${'b.'.repeat(room / 4)}`],
    ['a text that almost is a time', () => `2026-01-01T00:00:00.${'0'.repeat(room)}`],
    ['a text of quotes and escapes', () => '\\"'.repeat(room / 4)],
  ];
  const bodies = values.flatMap(([title, value]) =>
    fields.map((field): [string, string] => [`${title} as ${field}`, JSON.stringify({ ...own, [field]: value() })]),
  );
  const deep = (open: string, close: string) => {
    const depth = Math.floor(room / (open.length + close.length));
    return open.repeat(depth) + close.repeat(depth);
  };
  const inside = JSON.stringify(own).slice(0, -1) + (Object.keys(own).length > 0 ? ',' : '');
  const unknown = list((at) => `"k${at}":0`, room / 11).join();
  return [
    ...bodies,
    ...fields.map((field): [string, string] => [`deep lists as ${field}`, `${inside}"${field}":${deep('[', ']')}}`]),
    ...fields.map((field): [string, string] => [
      `deep objects as ${field}`,
      `${inside}"${field}":${`{"a":`.repeat(room / 6)}0${'}'.repeat(room / 6)}}`,
    ]),
    ['many unknown fields', `${inside}${unknown}}`],
    ['one field many times', `${inside}${list(() => `"${fields[0]}":[]`, room / 18).join()}}`],
    ['a list', `[${list((at) => at, room / 8).join()}]`],
    ['deep lists', deep('[', ']')],
    ['a text', JSON.stringify('a'.repeat(room))],
  ];
}

const manyKeys = `{${Array.from({ length: limits.requestBytes / 11 }, (_, at) => `"k${at}":0`).join()}}`;

/** Counts CPU time in parsings. Both are the best of a few runs side by side, because other processes may slow some. */
async function costOf(url: string, payload: string, method: 'POST' | 'PUT' = 'POST') {
  expect(payload.length).toBeLessThanOrEqual(limits.requestBytes);
  const accept = 'application/json, text/event-stream';
  const headers = { host: 'gateway', 'content-type': 'application/json', accept };
  let [parsing, whole] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  let response = { statusCode: 0, body: '' };
  for (let run = 0; run < 40 && !(run > 0 && whole <= mostParsings * parsing); run += 1) {
    if (run >= 8) await pause(100);
    const begun = cpuMs();
    JSON.parse(manyKeys);
    const parsed = cpuMs();
    response = await app.inject({ method, url, headers, payload });
    whole = Math.min(whole, cpuMs() - parsed);
    parsing = Math.min(parsing, parsed - begun);
  }
  return { parsings: whole / parsing, status: response.statusCode, body: response.body };
}

it.each(
  withBody.flatMap(({ id, method, path, body }) => {
    const { oneOf, properties } = keywordsOf(body ?? {});
    const shapes = oneOf?.map(keywordsOf) ?? [{ properties } as Keywords];
    return shapes.map((shape) => [id, typeOf(shape) ?? '', method === 'PUT' ? 'PUT' : 'POST', path, shape] as const);
  }),
)(
  'no body of 128 KiB costs more than four parsings of its length: %s %s',
  async (_id, type, method, path, { properties = {} }) => {
    const own = type === '' ? {} : { type };
    for (const [title, payload] of worstBodies(Object.keys(properties), own)) {
      const { parsings, status, body } = await costOf(path, payload, method);
      expect({ title, parsings: parsings <= mostParsings ? 'few' : parsings }).toEqual({ title, parsings: 'few' });
      expect({ title, status }).toEqual({ title, status: 400 });
      expect(body.length).toBeLessThan(2_000);
    }
  },
);

it.each(tools.map(({ name, body, operation }) => [name, body ?? operation.body, operation] as const))(
  'no arguments of 128 KiB cost more than four parsings of their length: %s',
  async (name, body, { query, params }) => {
    const fields = [body, query, params].flatMap((part) => Object.keys(keywordsOf(part ?? {}).properties ?? {}));
    const message = (given: string): string =>
      `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"${name}","arguments":${given}}}`;
    // The validation of all fields is alike, so each test uses only some of the bodies.
    const worst = worstBodies([...fields, 'write_token'], {}).filter((_, at) => at % (fields.length + 2) === 0);
    for (const [title, given] of worst) {
      const { parsings, body: response } = await costOf('/mcp', message(given));
      expect({ title, parsings: parsings <= mostParsings ? 'few' : parsings }).toEqual({ title, parsings: 'few' });
      const shown = response.slice(0, 200);
      expect({ title, failed: shown.includes('-32603') }, shown).toEqual({ title, failed: false });
    }
  },
);

it('every list in a body has a maximum length', () => {
  const unbounded = (schema: Keywords, path: string): string[] => [
    ...(schema.items !== undefined && schema.maxItems === undefined ? [path] : []),
    ...(schema.items === undefined ? [] : unbounded(keywordsOf(schema.items), `${path}[]`)),
    ...(schema.oneOf ?? []).flatMap((choice) => unbounded(keywordsOf(choice), path)),
    ...(schema.anyOf ?? []).flatMap((choice) => unbounded(keywordsOf(choice), path)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, each]) =>
      unbounded(keywordsOf(each), `${path}.${name}`),
    ),
  ];
  expect(withBody.flatMap(({ id, body }) => unbounded(keywordsOf(body ?? {}), id))).toEqual([]);
});

function typeOf({ properties }: Keywords): string | undefined {
  return keywordsOf(properties?.['type'] ?? {}).const as string | undefined;
}
