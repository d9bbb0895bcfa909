import { describe, expect, it } from 'vitest';
import { UsageError } from '../desk-error.js';
import { findMethod, loadContract } from './contract.js';
import { fromMessage } from './from-message.js';
import { toMessage } from './to-message.js';
import { resolveType } from './types.js';

const contract = loadContract();
const type = (name: string) => resolveType(contract, name, '');

/** What the other side gets, and shows again. */
function there(path: string, json: unknown): unknown {
  const { method } = findMethod(contract, path);
  const request = type(`${path.slice(0, path.lastIndexOf('.'))}.${(method.requestType.type as { name: string }).name}`);
  const bytes = method.requestSerialize(toMessage(contract, request, json));
  return fromMessage(contract, request, method.requestDeserialize(bytes));
}

describe('a request in JSON', () => {
  it('keeps times, enums, lists, optional fields and spans', () => {
    const put = { site: 'SITE_ORG', slug: 'a', tags: ['x'], published_at: '2026-06-01T09:00:00.250Z', publish: true };
    expect(there('knowledge.content.v1.EditorialService/PutArticle', put)).toMatchObject({ ...put, title: '' });
    const items = [{ context: { request_id: 'r', timeout: '1.5s', traceparent: '' }, id: 'i', charges: [] }];
    expect(there('knowledge.quota.v1.QuotaService/Consume', { items })).toMatchObject({
      items: [{ ...items[0], context: { ...items[0]?.context, timeout: '1.500s' } }],
    });
    const submit = { title: 'T', body: 'B', payload_hash: 'AAEC' };
    const taken = there('knowledge.contributions.v1.ContributionsService/SubmitContribution', submit);
    expect(taken).toMatchObject(submit);
    expect(taken).not.toHaveProperty('name');
  });

  it.each([
    [{ sit: 'x' }, /^sit: .*ListArticlesRequest has no such field; its fields are site, page_size/],
    [{ site: 'ORG' }, /^site: must be one of SITE_UNSPECIFIED, SITE_IO, SITE_ORG/],
    [{ page_size: '2' }, /^page_size: must be a number/],
    [{ query: 2 }, /^query: must be a string/],
    [{ updated_since: 'yesterday' }, /^updated_since: must be a time/],
    [[], /^The request: must be a JSON object/],
  ])('names what is wrong with %j', (json, message) => {
    const request = type('knowledge.content.v1.ListArticlesRequest');
    expect(() => toMessage(contract, request, json)).toThrow(UsageError);
    expect(() => toMessage(contract, request, json)).toThrow(message);
  });
});

describe('an answer in JSON', () => {
  it('shows a struct as what it stands for', () => {
    const data = {
      fields: {
        a: { stringValue: 'x' },
        b: { listValue: { values: [{ numberValue: 1 }, { nullValue: 'NULL_VALUE' }, { boolValue: false }] } },
        c: { structValue: { fields: {} } },
      },
    };
    const shown = fromMessage(contract, type('knowledge.identity.v1.ExportPersonResponse'), { data });
    expect(shown).toEqual({ data: { a: 'x', b: [1, null, false], c: {} } });
  });
});

describe('findMethod', () => {
  it('finds by short and full names', () => {
    const full = 'knowledge.content.v1.ContentService';
    for (const path of ['ContentService/ListArticles', `${full}/listArticles`, `/${full}/ListArticles`]) {
      expect(findMethod(contract, path)).toMatchObject({ service: full, name: 'ListArticles' });
    }
    expect(findMethod(contract, 'Health/Check').service).toBe('grpc.health.v1.Health');
  });

  it('tells what there is', () => {
    expect(() => findMethod(contract, 'Content/X')).toThrow(/there are .*ContentService/);
    expect(() => findMethod(contract, 'PromptService/X')).toThrow(/it has CreatePrompt/);
    expect(() => findMethod(contract, 'PromptService')).toThrow(/SERVICE\/METHOD/);
  });
});
