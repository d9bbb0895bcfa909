import fastify from 'fastify';
import { afterAll, describe, expect, it } from 'vitest';
import { registerBodyParsing } from '../../http/body-parsing.js';
import { listContent } from '../../protocol/articles.js';
import { AuthorizeBodySchema } from '../../protocol/authorization.js';
import { ContributionBodySchema } from '../../protocol/submissions.js';
import { registerValidation } from './validation.js';

const app = fastify();
afterAll(() => app.close());
registerBodyParsing(app);
registerValidation(app);
app.post('/contributions', { schema: { body: ContributionBodySchema } }, async () => 'taken');
app.post('/authorize', { schema: { body: AuthorizeBodySchema } }, async () => 'taken');
app.get('/content', { schema: { querystring: listContent.query } }, async () => 'read');

async function message(url: string, payload: string): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  return (await app.inject({ method: 'POST', url, headers, payload })).json().message;
}

const send = (body: unknown) => message('/contributions', JSON.stringify(body));
const text = 'a text that is long enough';

describe('the message about a wrong body says how to mend it', () => {
  it('recognises JSON that was encoded twice', async () => {
    expect(await send(JSON.stringify({ type: 'inquiry', body: text }))).toBe(
      'The request body must be a JSON object, {"type": …}; you sent a string that holds JSON; send the object itself, encoded once.',
    );
  });

  it.each([
    [[], 'an array'],
    ['text', 'a string'],
    [7, 'a number'],
  ])('%j is no object, and the message does not sound like the field body', async (body, kind) => {
    expect(await send(body)).toBe(`The request body must be a JSON object, {"type": …}; you sent ${kind}.`);
  });

  it.each([
    [{}, '', 'invalid_body', ', {"email": …}; it is missing.'],
    [{ 'content-type': 'application/json' }, '', 'invalid_body', ', {"email": …}; it is missing.'],
    [{ 'content-type': 'application/json' }, 'null', 'validation_error', '; you sent null.'],
  ])('tells a missing body from null: %j %j', async (headers, payload, code, end) => {
    const refused = (await app.inject({ method: 'POST', url: '/authorize', headers, payload })).json();
    expect(refused).toMatchObject({ code, message: `The request body must be a JSON object${end}` });
  });

  it.each([
    ['2026-06-01T09:00:00+02:00', '; a + stands as %2B in a URL.'],
    ['yesterday', 'Z.'],
  ])('names a + of a time that came as a blank: %s', async (time, end) => {
    const { message: text } = (await app.inject(`/content?updated_since=${time}`)).json();
    expect(text).toMatch(/^updated_since: must be a time like 2026-06-01T09:00:00Z/);
    expect(text.endsWith(end)).toBe(true);
  });

  it('names fields that were put inside another object', async () => {
    const said = await send({ contribution: { type: 'inquiry', body: text } });
    expect(said).toContain('type: is required, one of inquiry, story, prompt_reply');
    expect(said).toContain(
      'contribution: is not a known field here (put the fields themselves at the top level of the body)',
    );
    expect(said).toContain('Known fields: type, site, body, name, language, purpose, about, title, prompt_id.');
  });

  it.each([
    ['an array for a text', { type: 'inquiry', body: ['a', 'b'] }, 'body: must be a string; you sent an array'],
    ['another name', { kind: 'inquiry', body: text }, 'kind: is not a known field here (did you mean type?)'],
    ['an unknown type', { type: 'note', body: text }, 'type: must be one of inquiry, story, prompt_reply'],
    [
      'a field of another type',
      { type: 'inquiry', title: 'A title', body: text },
      /^title: is not a known field here\. Known fields of inquiry: type, site, body, name, language, purpose, about\.$/,
    ],
    [
      'long text',
      { type: 'inquiry', body: '😀'.repeat(8_001) },
      /body: must have at most 8000 characters; it has 8001/,
    ],
  ])('names %s', async (_what, body, said) => {
    expect(await send(body)).toMatch(said);
  });

  it('suggests the known field for a misspelled one', async () => {
    expect(
      await message('/authorize', JSON.stringify({ email: 'a@b.example', agent_name: 'A', scope: 'x' })),
    ).toContain('scope: is not a known field here (did you mean scopes?)');
  });
});

describe('the message about broken JSON says where it breaks', () => {
  it.each([
    ['{"type": "inquiry",\n "body": "one\ntwo"}', 'line 2, column 14: a string breaks off'],
    ['{"type": "inquiry",}', 'line 1, column 20: the name of a field'],
    ["{'type': 1}", 'line 1, column 2: this is not a JSON value'],
    ['{"a": "b "no" c"}', 'line 1, column 11: after a text in double quotes, a comma or a closing brace'],
    ['{"a": "b" "c": 1}', 'line 1, column 11: after a text in double quotes, a comma or a closing brace'],
    ['{"a": 1 "c": 1}', 'line 1, column 9: a comma is missing'],
    ['{"a": 1', 'line 1, column 8: a closing brace'],
    ['{"a" 1}', 'line 1, column 6: a colon is missing'],
    ['{"a": 1} {"b": 2}', 'line 1, column 10: something follows after the end'],
    ['{"a": "\\q"}', 'line 1, column 7: JSON has no such escape'],
    ['// note\n{}', 'line 1, column 1: JSON has no comments'],
    [' ', 'it is empty'],
  ])('%j', async (payload, place) => {
    expect(await message('/contributions', payload)).toContain(`The body is not well-formed JSON: ${place}`);
  });

  it('does not name a place if the JSON is nested too deeply', async () => {
    expect(await message('/contributions', '['.repeat(120_000))).toMatch(/^The body is not well-formed JSON/);
  });
});

it.each(['-1', '0', '201', 'ten', '1.5'])(
  'the message about a wrong number says its range: limit=%s',
  async (limit) => {
    const response = await app.inject(`/content?limit=${limit}`);
    expect(response.json().message).toBe('limit: must be a whole number from 1 to 200.');
  },
);
