import { describe, expect, it } from 'vitest';
import { argumentsOf, requestParts } from '../mcp/arguments.js';
import { tools } from './mcp-tools.js';
import { operationGroups } from './operations.js';
import { decideConfirmation, showConfirmation } from './write-operations.js';

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
      ['site', null],
    ]);
    expect([headers, String(query)]).toEqual([{ 'idempotency-key': 'k' }, '']);
  });

  it.each([
    ['read_article', { slug: '\ud800' }, 'slug: must not contain unpaired surrogates.'],
    ['search_articles', { q: 'a\udc00b' }, 'q: must not contain unpaired surrogates.'],
    ['read_article', { slug: 'a', client_id: '\udfff' }, 'client_id: must not contain unpaired surrogates.'],
    ['read_article', { slug: 'a', write_token: '\ud800' }, 'write_token: must not contain unpaired surrogates.'],
    ['submit_story', { body: '\ud800' }, 'body: must not contain unpaired surrogates.'],
    [
      'submit_story',
      { ['\ud800\n']: 1, ['x'.repeat(9_000)]: [[[[[]]]]] },
      /^\?\?: .* here; x{60}: is not a known argument here\. Known/,
    ],
    ['submit_story', { ['__proto__']: 1 }, '__proto__: is not a known argument here.'],
    ['submit_story', { titel: 'A' }, 'titel: is not a known argument here (did you mean title?). Known arguments of'],
    [
      'submit_story',
      { type: 'story' },
      /^type: is not a known argument here\. Known arguments of submit_story: (?!.*\btype)/,
    ],
    ['check_quota', { a: 1 }, 'Known arguments of check_quota: client_id, write_token.'],
    ['submit_story', { body: { a: [{ b: [{}] }] } }, 'body: is nested too deeply.'],
    ['search_articles', { ['\ud800\n']: 1 }, '??: is not a known argument here.'],
  ])('%s refuses arguments that fit in no request to the API', (name, given, message) => {
    expect(() => requestParts(tool(name), given)).toThrow(message);
  });

  it('leaves out null arguments, and refuses unknown arguments', () => {
    expect(String(requestParts(tool('search_articles'), { q: null, limit: 5 }).query)).toBe('limit=5');
    expect(() => requestParts(tool('search_articles'), { q: { $ne: null } })).toThrow('q: must be one text or number.');
    expect(() => requestParts(tool('read_object'), { id: '' })).toThrow('id: is required.');
    expect(() => requestParts(tool('read_object'), { toString: 'x', id: 'x' })).toThrow('toString: is not a known');
  });
});
