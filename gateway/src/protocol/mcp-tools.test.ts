import { describe, expect, it } from 'vitest';
import { argumentsOf, ignoredWords, requestParts } from '../mcp/arguments.js';
import { describeTools } from '../mcp/tool-schemas.js';
import { decideConfirmation, showConfirmation } from './authorization.js';
import { tools } from './mcp-tools.js';
import { operationGroups } from './operations.js';

const tool = (name: string) => tools.find((each) => each.name === name) ?? expect.fail(`no tool ${name}`);

describe('the tools', () => {
  it('cover every operation except documents and the pages of the human', () => {
    const others = [showConfirmation.id, decideConfirmation.id] as string[];
    const operations = operationGroups.flatMap(({ name, operations: of }) => (name === 'Orientation' ? [] : of));
    const expected = operations.map(({ id }) => id).filter((id) => !others.includes(id));
    expect([...new Set(tools.map(({ operation }) => operation.id))].sort()).toEqual(expected.sort());
  });

  it('have different names that every client accepts', () => {
    expect(new Set(tools.map(({ name }) => name)).size).toBe(tools.length);
    for (const { name } of tools) expect(name).toMatch(/^[a-z_]{3,40}$/);
  });

  it.each(tools.map((each) => [each.name, each] as const))(
    '%s has an argument for each parameter of its operation, apart from ETags, which no model sees',
    (_name, each) => {
      const { params, query, headers, body } = each.operation;
      const taken = Object.values(argumentsOf(each)).map(({ name }) => name);
      const inBody = Object.keys((each.body ?? (body as typeof each.body))?.properties ?? {});
      const all = [params, query, headers].flatMap((part) => Object.keys(part?.properties ?? {}));
      for (const name of [...all, ...inBody]) if (name !== 'type' && name !== 'if-match') expect(taken).toContain(name);
    },
  );
});

describe('requestParts', () => {
  it('puts each argument into the path, query, header or body that the API reads', () => {
    const given = { slug: 'a b', site: 'io', client_id: 'ünlike', write_token: 'cks_x' };
    const { path, query, headers, body } = requestParts(tool('read_article'), given);
    expect([path, String(query), body]).toEqual([{ slug: 'a b' }, 'site=io', undefined]);
    // Node decodes the UTF-8 bytes of a header as Latin-1.
    expect(headers).toEqual({ 'x-agent-client-id': 'Ã¼nlike', authorization: 'Bearer cks_x' });
  });

  it('gives a contribution the type of its tool, and does not validate its fields', () => {
    const given = { title: 7, site: null, idempotency_key: 'k' };
    const { body, headers, query } = requestParts(tool('submit_story'), given);
    expect(Object.entries(body ?? {})).toEqual([
      ['type', 'story'],
      ['title', 7],
    ]);
    expect([headers, String(query)]).toEqual([{ 'idempotency-key': 'k' }, '']);
  });

  it.each([
    ['read_article', { slug: '\ud800' }, 'slug: must not contain unpaired surrogates.'],
    ['search_articles', { q: 'a\udc00b' }, 'q: must not contain unpaired surrogates.'],
    ['read_article', { slug: 'a', client_id: '\udfff' }, 'client_id: must not contain unpaired surrogates.'],
    ['read_article', { slug: 'a', write_token: '\ud800' }, 'write_token: must not contain unpaired surrogates.'],
    ['submit_story', { body: '\ud800' }, 'body: must not contain unpaired surrogates.'],
    ['submit_story', { titel: 'A' }, 'titel: is not a known argument here (did you mean title?). Known arguments of'],
    ['submit_story', { body: { a: [{ b: [{}] }] } }, 'body: is nested too deeply.'],
  ])('%s refuses arguments that fit in no request to the API', (name, given, message) => {
    expect(() => requestParts(tool(name), given)).toThrow(message);
  });

  it('leaves out what means nothing, takes a list as text, and passes over what it does not know', () => {
    const absent = { q: null, tag: '', cursor: 'None', fields: 'undefined', limit: 5 };
    expect(String(requestParts(tool('search_articles'), absent).query)).toBe('limit=5');
    const { body } = requestParts(tool('request_authorization'), { purpose: 'null', scopes: '["write:story"]' });
    expect(body).toEqual({ scopes: ['write:story'] });
    expect(() => requestParts(tool('search_articles'), { q: { $ne: null } })).toThrow('q: must be one text or number.');
    expect(() => requestParts(tool('read_object'), { id: '' })).toThrow('id: is required.');
    const added = {
      toolCallId: 'x',
      wait_for_previous: true,
      ['\ud800\n']: [[[[[[]]]]]],
      toString: 'x',
      ['__proto__']: 1,
    };
    for (const name of ['read_object', 'withdraw_contribution']) {
      const parts = requestParts(tool(name), { ...added, id: 'x' });
      expect([parts.path, parts.ignored]).toEqual([{ id: 'x' }, Object.keys(added)]);
    }
    expect(ignoredWords(tool('search'), ['cwd', '\ud800\n'])).toBe(
      'Without effect, because search has no such arguments: cwd, ??.',
    );
  });

  it('knows the arguments of search and fetch as others call them', () => {
    expect(String(requestParts(tool('search'), { query: 'a b', site: 'all' }).query)).toBe('q=a+b&site=all');
    expect(requestParts(tool('read_article'), { id: 'field-note', site: 'all' }).path).toEqual({ slug: 'field-note' });
    expect(String(requestParts(tool('read_article'), { slug: 'a', site: 'all' }).query)).toBe('');
  });
});

it('the schemas of the tools have no bounds or patterns, of which some clients cannot make a grammar', () => {
  const written = JSON.stringify(describeTools());
  expect(written).not.toMatch(/"(?:minLength|maxLength|pattern|format|minimum|maximum|additionalProperties)":/);
  expect(written).toMatch(/"enum":\["io","org"/);
});
