import fastify from 'fastify';
import { describe, expect, it } from 'vitest';
import { registerBodyParsing } from './body-parsing.js';
import { registerErrorHandler } from './error-handler.js';

async function send(payload: string, type = 'application/json', method: 'POST' | 'DELETE' = 'POST') {
  const app = fastify();
  registerErrorHandler(app, () => '');
  registerBodyParsing(app);
  app.route({ method: ['POST', 'DELETE'], url: '/', handler: async ({ body }) => ({ body }) });
  app.addHook('onRequest', async (request) => Object.assign(request, { watched: {} }));
  return app.inject({ method, url: '/', headers: { 'content-type': type }, payload });
}

describe('a key that stands twice in one object', () => {
  it.each([
    ['{"body":"first","body":"second"}', 'body', 'line 1, column 17'],
    ['{"body":1,\n "b\\u006fdy":2}', 'body', 'line 2, column 2'],
    ['{"a":[{"b":1},{"b":1,"c":{},"b":[]}]}', 'b', 'line 1, column 29'],
    ['{"__proto__":1,"a":{},"__proto__":2}', '__proto__', 'line 1, column 23'],
  ])('in %s is refused with name and place', async (payload, key, place) => {
    const { statusCode, body } = await send(payload);
    const message = `${key}: stands twice in one object, again at ${place}; send it once.`;
    expect([statusCode, JSON.parse(body)]).toEqual([400, { ok: false, error: 'validation_error', message }]);
  });

  it.each(['{"a":{"a":"a"},"b":["a","a",{"a":"b"}]}', '["a","a"]', '"a"', '{"a":"{\\"a\\":1,\\"a\\":2}"}'])(
    'does not stand in %s',
    async (payload) => {
      expect((await send(payload)).json()).toEqual({ body: JSON.parse(payload) });
    },
  );
});

it.each(['application/octet-stream', 'text/plain', 'application/x-www-form-urlencoded'])(
  'a Content-Type that is not JSON counts only where there is a byte: %s',
  async (type) => {
    for (const method of ['POST', 'DELETE'] as const) {
      expect((await send('', type, method)).statusCode).toBe(200);
      expect((await send('x', type, method)).json()).toMatchObject({ error: 'unsupported_media_type' });
    }
  },
);
