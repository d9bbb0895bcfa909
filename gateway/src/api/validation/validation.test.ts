import type { FastifyInstance, FastifyRequest } from 'fastify';
import fastify from 'fastify';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerValidation } from './validation.js';

const body = Type.Object(
  { title: Type.String({ minLength: 4, maxLength: 10 }), name: Type.Optional(Type.String({ maxLength: 3 })) },
  { additionalProperties: false },
);
const query = Type.Object({ limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200 })) });

let app: FastifyInstance;

beforeEach(() => {
  app = fastify();
  registerValidation(app);
  app.post('/', { schema: { body, querystring: query } }, async (request: FastifyRequest) => ({
    body: request.body,
    query: request.query,
  }));
});
afterEach(() => app.close());

async function post(payload: unknown, search = '') {
  const response = await app.inject({
    method: 'POST',
    url: `/${search}`,
    headers: { 'content-type': 'application/json' },
    payload: JSON.stringify(payload),
  });
  return { status: response.statusCode, json: response.json() };
}

describe('a validation_error names every failing field and its bound', () => {
  it('names three failing fields in one message', async () => {
    const { json } = await post({ title: 'abc', name: 'toolong', extra: 1 });
    expect(json.message).toContain('title: must have at least 4 characters');
    expect(json.message).toContain('name: must have at most 3 characters');
    expect(json.message).toContain('extra: is not a known field here');
  });

  it('keeps the message short for a thousand unknown fields', async () => {
    const { json } = await post({
      title: 'fine',
      ...Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, 1])),
    });
    expect(json.message).toContain('; and 990 more. Known fields: title, name.');
    expect(json.message.length).toBeLessThan(1_000);
  });

  it('shows only 60 printable characters of the name of an unknown field', async () => {
    const { json } = await post({ title: 'fine', [`\u202e\n${'y'.repeat(200)}`]: 1 });
    expect(json.message).toMatch(/^\?\?y{58}: /);
  });

  it('counts lengths in code points', async () => {
    expect((await post({ title: '😀😀😀😀' })).status).toBe(200);
    expect((await post({ title: '😀😀' })).json.message).toContain('title');
  });
});

describe('the validation coerces no value', () => {
  it.each(['1e1', '0x10', ' 5', '5 ', '+5', '1.0', '', 'true', '٣'])('limit=%s is refused', async (value) => {
    expect((await post({ title: 'fine' }, `?limit=${encodeURIComponent(value)}`)).json.message).toContain('limit');
  });

  it('reads digits in a query as a number', async () => {
    expect((await post({ title: 'fine' }, '?limit=200')).json.query).toEqual({ limit: 200 });
  });

  it('treats null in an optional field as absent, and refuses null in a required one', async () => {
    expect((await post({ title: 'fine', name: null })).json.body).toEqual({ title: 'fine' });
    expect((await post({ title: null })).json.message).toContain('title');
  });
});
