import fastify, { type FastifyInstance, type FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { registerValidation } from './validation.js';

const body = Type.Object(
  {
    title: Type.String({ minLength: 4, maxLength: 10 }),
    name: Type.Optional(Type.String({ maxLength: 3 })),
  },
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
  it('all of them in one message', async () => {
    const { json } = await post({ title: 'abc', name: 'toolong', extra: 1 });
    expect(json.message).toContain('title: must have at least 4 characters');
    expect(json.message).toContain('name: must have at most 3 characters');
    expect(json.message).toContain('extra: is not a known field here');
  });

  it('a thousand unknown fields make a short message', async () => {
    const { json } = await post({
      title: 'fine',
      ...Object.fromEntries(Array.from({ length: 1_000 }, (_, at) => [`x${at}`, 1])),
    });
    expect(json.message).toContain('; and 990 more. Known fields: title, name.');
    expect(json.message.length).toBeLessThan(1_000);
  });

  it('a name that a stranger chose is shown printable and short', async () => {
    const { json } = await post({ title: 'fine', [`\u202e\n${'y'.repeat(200)}`]: 1 });
    expect(json.message).toMatch(/^\?\?y{58}: /);
  });

  it('lengths are code points', async () => {
    expect((await post({ title: '😀😀😀😀' })).status).toBe(200);
    expect((await post({ title: '😀😀' })).json.message).toContain('title');
  });
});

describe('nothing is coerced', () => {
  it.each(['1e1', '0x10', ' 5', '5 ', '+5', '1.0', '', 'true', '٣'])('limit=%s is refused', async (value) => {
    expect((await post({ title: 'fine' }, `?limit=${encodeURIComponent(value)}`)).json.message).toContain('limit');
  });

  it('digits are a number', async () => {
    expect((await post({ title: 'fine' }, '?limit=200')).json.query).toEqual({ limit: 200 });
    expect((await post({ title: 'fine' }, '?limit=201')).json.message).toContain(
      'limit: must be a whole number from 1 to 200',
    );
  });

  it('an optional field that is null is absent; a required one is not', async () => {
    expect((await post({ title: 'fine', name: null })).json.body).toEqual({ title: 'fine' });
    expect((await post({ title: null })).json.message).toContain('title');
  });
});
