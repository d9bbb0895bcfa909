import { describe, expect, it } from 'vitest';
import { batchFault, messageFault, withoutNulls } from './messages.js';

const request = (method: string, params?: unknown) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  ...(params !== undefined && { params }),
});

describe('messageFault', () => {
  it.each([
    ['x', null],
    [7, null],
    [null, null],
    [undefined, null],
    [[], null],
    [{}, null],
    [{ jsonrpc: '1.0' }, null],
    [{ jsonrpc: '1.0', id: 1, method: 'ping' }, 1],
    [{ id: 'a', method: 'ping' }, 'a'],
    [{ jsonrpc: '2.0', id: 1 }, 1],
    [{ jsonrpc: '2.0', id: null, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: 1.5, method: 'ping' }, null],
    [{ jsonrpc: '2.0', id: 1, method: 7 }, 1],
    [{ ...request('ping', 'x'), jsonrpc: 2 }, 7],
  ])('%j is not a message of JSON-RPC 2.0', (message, id) => {
    const message600 = expect.stringMatching(/^Invalid Request: [^\n{}]*\.$/);
    expect(messageFault(message)).toEqual({ jsonrpc: '2.0', error: { code: -32600, message: message600 }, id });
  });

  it.each([
    ['tools/call', undefined, 'params'],
    ['tools/call', {}, 'params.name'],
    ['tools/call', { name: 7 }, 'params.name'],
    ['tools/call', { name: 'search_articles', arguments: 'str' }, 'params.arguments'],
    ['tools/call', { name: 'search_articles', arguments: ['x'] }, 'params.arguments'],
    ['tools/call', 'str', 'params'],
    ['initialize', undefined, 'params'],
    ['initialize', { protocolVersion: '2025-06-18', capabilities: {} }, 'params.clientInfo'],
    ['resources/read', {}, 'params.uri'],
    ['tools/list', { cursor: 7 }, 'params.cursor'],
    ['no/such', [], 'params'],
    ['constructor', 'x', 'params'],
  ])('refuses wrong params of %s: %j', (method, params, where) => {
    const { error, id } = messageFault(request(method, params)) ?? expect.fail('no fault');
    expect([error.code, id]).toEqual([-32602, 7]);
    expect(error.message.startsWith(`${where} is missing or wrong: `)).toBe(true);
    expect(error.message).toMatch(/^[^\n{}[\]]*\.$/);
  });

  it.each([
    request('ping'),
    request('tools/list', {}),
    request('tools/call', { name: 'search_articles', _meta: { progressToken: 1 } }),
    request('no/such', { any: 1 }),
    request('constructor'),
    { jsonrpc: '2.0', method: 'notifications/initialized' },
    { jsonrpc: '2.0', id: 1, result: {} },
  ])('%j can be served', (message) => {
    expect(messageFault(message)).toBeUndefined();
  });
});

it('withoutNulls removes params and members of params that are null, and nothing else', () => {
  const call = request('tools/call', { name: 'x', arguments: null });
  expect(withoutNulls(call)).toEqual(request('tools/call', { name: 'x' }));
  expect(withoutNulls({ ...request('tools/list'), params: null })).toEqual(request('tools/list'));
  expect(withoutNulls(request('tools/list', { cursor: null }))).toEqual(request('tools/list', {}));
  for (const other of [null, 'x', [call], request('tools/call'), request('other', { a: { b: null } })]) {
    expect(withoutNulls(other)).toBe(other);
  }
});

describe('batchFault', () => {
  const ping = (id: unknown) => ({ jsonrpc: '2.0', id, method: 'ping' });

  it.each([
    [[ping(1), ping(2), ping(1)]],
    [[ping('a'), ping('a')]],
    [[ping(1), { jsonrpc: '2.0', id: 1, result: {} }]],
  ])('refuses a batch that has an id twice: %j', (batch) => {
    const message = 'A batch must not use an id twice.';
    expect(batchFault(batch)).toEqual({ jsonrpc: '2.0', error: { code: -32600, message }, id: null });
  });

  it.each([
    [[ping(1), ping('1'), { jsonrpc: '2.0', method: 'ping' }, { jsonrpc: '2.0', method: 'ping' }]],
    [[ping(null), null, 7, 'x']],
  ])('leaves other faults to messageFault: %j', (batch) => {
    expect(batchFault(batch)).toBeUndefined();
  });
});
