import { expect, it, vi } from 'vitest';
import { tools } from '../protocol/mcp-tools.js';
import { askWithin } from './bounded.js';

it('does not ask again for a text after nobody answered in time', async () => {
  const tool = tools.find(({ name }) => name === 'read_article') ?? expect.fail();
  const ask = vi.fn(async () => ({ statusCode: 503, headers: {}, body: '' }));
  const parts = { path: {}, query: new URLSearchParams(), headers: {}, ignored: [] } as never;
  const { body } = await askWithin(tool, parts, ask);
  expect([ask.mock.calls.length, JSON.parse(body)]).toMatchObject([1, { ok: false, error: 'unavailable' }]);
});
