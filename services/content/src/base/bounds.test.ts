import { describe, expect, it } from 'vitest';
import { checkArticlePut } from '../articles/domain.js';
import { checkObjectPut, checkPublication, checkRetraction } from '../objects/decisions.js';
import { checkRevision, isSlug, isTag, requireReason } from './bounds.js';

const id = '0b6e3f0c-4d5f-4d0e-9a53-00000000000f';
const article: Parameters<typeof checkArticlePut>[0] = {
  ...{ site: 'org', slug: 'a', title: 'A', summary: '', tags: [], author: '', language: '', body: 'Text.' },
  ...{ publishedAt: undefined, publish: false, expectedRevision: 0, reason: '' },
};
const object: Parameters<typeof checkObjectPut>[0] = {
  ...{ id, kind: 'knowledge', site: 'org', title: 'T', summary: '', author: '', language: '', body: 'What we know.' },
  publishedAt: undefined,
};
const story: Parameters<typeof checkPublication>[0] = {
  ...object,
  ...{ site: 'org', kind: 'story', revision: 1, prompt: undefined },
};
const refused = (message: string) => expect.objectContaining({ code: 'validation_error', message });
const tags = (count: number) => Array.from({ length: count }, (_, index) => `t${index}`);
const languageFault = 'language must be the BCP 47 tag of a known language, such as en, de or pt-BR, not its name.';
const hiddenName = 'must not contain U+202E (right-to-left override) at character 2';

describe('the error for an invalid field', () => {
  it.each<[Partial<typeof article>, string | RegExp, Partial<typeof article>?]>([
    [{ site: undefined }, 'site is required: io or org.'],
    [{ slug: 'A' }, 'slug must be 1 to 80 characters of a-z, 0-9 and single hyphens.'],
    [{ title: '' }, 'title is required.'],
    [{ title: ' \u00a0 ' }, 'title is required.', { title: ' x ' }],
    [{ title: '🙂'.repeat(201) }, 'title must have at most 200 characters.', { title: '🙂'.repeat(200) }],
    [{ title: 'a\nb' }, 'title must be one line; it has a line break at character 2.'],
    [{ title: 'a\tb' }, 'title must not contain tabs.'],
    [{ title: 'a\u202eb' }, `title ${hiddenName}.`],
    [{ summary: 'é'.repeat(501) }, 'summary must have at most 500 characters.', { summary: 'é'.repeat(500) }],
    [{ summary: 'a\u0007b' }, 'summary must not contain U+0007 (control character) at character 2.'],
    [{ tags: tags(13) }, 'tags must be at most 12.', { tags: tags(12) }],
    [{ tags: ['A'] }, 'tags must each be 1 to 40 characters of a-z, 0-9 and hyphens.'],
    [{ tags: ['a', 'b', 'a'] }, 'tags must differ from each other.'],
    [{ author: 'x'.repeat(121) }, 'author must have at most 120 characters.', { author: 'x'.repeat(120) }],
    [{ author: 'a@b.example' }, 'author must be a name, not an e-mail address.'],
    [{ body: ' \u200b' }, 'body is required.'],
    [{ language: 'english' }, languageFault, { language: 'zh-Hant-TW' }],
    [{ body: `${'é'.repeat(100_000)}x` }, 'body must be at most 200000 bytes of UTF-8.', { body: 'é'.repeat(100_000) }],
    [{ body: 'a\0' }, 'body must not contain NUL.'],
    [{ publishedAt: new Date(-1) }, 'published_at must be a time from 1970 to 9999.'],
    [{ publishedAt: new Date(Number.NaN) }, 'published_at must be a time from 1970 to 9999.'],
    [{ publishedAt: new Date('+010000-01-01') }, /^published_at must/, { publishedAt: new Date('9999-01-01') }],
    [{ expectedRevision: -1 }, 'expected_revision must be 0 or more.', { expectedRevision: 1 }],
    [{ reason: 'x'.repeat(2001) }, 'reason must have at most 2000 characters.', { reason: 'x'.repeat(2000) }],
    [{ reason: 'a\u0007b' }, 'reason must not contain control characters.'],
    [{ slug: '', title: '' }, /^slug must be .*; title is required\.$/],
  ])('of an article: %j', (part, message, nearest = {}) => {
    expect(() => checkArticlePut({ ...article, ...nearest })).not.toThrow();
    const said = typeof message === 'string' ? message : expect.stringMatching(message);
    expect(() => checkArticlePut({ ...article, ...part })).toThrow(refused(said));
  });

  it.each([
    [{ id: 'x' }, 'id must be a UUID in lower case.'],
    [{ site: undefined }, 'site is required: io or org.'],
    [{ kind: undefined }, 'kind must be knowledge; stories and replies come from contributions.'],
    [{ kind: 'story' as const }, 'kind must be knowledge; stories and replies come from contributions.'],
    [{ title: '' }, 'title is required.'],
    [{ title: 'x'.repeat(201) }, 'title must have at most 200 characters.'],
    [{ summary: 'x'.repeat(501) }, 'summary must have at most 500 characters.'],
    [{ author: 'x'.repeat(121) }, 'author must have at most 120 characters.'],
    [{ author: 'a@b.example' }, 'author must be a name, not an e-mail address.'],
    [{ language: 'english' }, languageFault],
    [{ body: '' }, 'body is required.'],
    [{ publishedAt: new Date('+010000-01-01') }, 'published_at must be a time from 1970 to 9999.'],
  ])('of an object: %j', (part, message) => {
    expect(() => checkObjectPut({ ...object, ...part })).toThrow(refused(message));
  });

  const prompt = { id: 'p', question: 'Why?' };

  it.each([
    [{ revision: 0 }, 'revision must be 1 or more.'],
    [{ revision: 1.5 }, 'revision must be 1 or more.'],
    [{ kind: 'knowledge' as const }, 'kind must be story or prompt_reply.'],
    [{ prompt }, 'prompt belongs to a prompt_reply only.'],
  ])('of a publication: %j', (part, message) => {
    expect(() => checkPublication({ ...story, ...part })).toThrow(refused(message));
  });

  it.each([
    [{ id: '' }, 'prompt.id is required.'],
    [{ id: 'x'.repeat(121) }, 'prompt.id must have at most 120 characters.'],
    [{ question: 'x'.repeat(2001) }, 'prompt.question must have at most 2000 characters.'],
    [{ question: 'a\u202eb' }, `prompt.question ${hiddenName}.`],
  ])('of the prompt of a reply: %j', (part, message) => {
    const reply = { ...story, kind: 'prompt_reply' as const, prompt: { ...prompt, ...part } };
    expect(() => checkPublication(reply)).toThrow(refused(message));
  });

  it.each([
    [{ id: 'x' }, 'id must be a UUID in lower case.'],
    [{ revision: 0 }, 'revision must be 1 or more.'],
    [{ reason: 'x'.repeat(2001) }, 'reason must have at most 2000 characters.'],
  ])('of a retraction: %j', (part, message) => {
    const retraction = { id, revision: 1, site: 'org' as const, reason: '' };
    expect(checkRetraction(retraction)).toBe(retraction);
    expect(() => checkRetraction({ ...retraction, ...part })).toThrow(refused(message));
  });
});

describe('a valid input', () => {
  it('keeps only the fields of an article', () => {
    const sent = { ...article, summary: 'One\nline\t more', publishedAt: new Date(0), other: 'x' };
    const stored = { summary: sent.summary, publishedAt: new Date(0), language: 'en' };
    expect(checkArticlePut(sent)).toEqual({ ...article, ...stored });
  });

  it('gets a summary and a language, for an object', () => {
    expect(checkObjectPut({ ...object, summary: ' ', language: 'PT-br' })).toMatchObject({
      ...{ kind: 'knowledge', summary: 'What we know.', language: 'pt-BR' },
    });
    expect(checkObjectPut({ ...object, summary: 'Our\nview', publishedAt: new Date('9999-12-31') })).toMatchObject({
      ...{ summary: 'Our\nview', language: '' },
    });
    const prompt = { id: 'x'.repeat(120), question: 'Why\nthis?' };
    expect(checkPublication({ ...story, kind: 'prompt_reply', prompt }).prompt).toEqual(prompt);
  });

  it('may have a reason of at most 2000 characters', () => {
    expect(requireReason()).toBe('');
    expect(requireReason('Two\nlines')).toBe('Two\nlines');
    expect(() => requireReason('x'.repeat(2001))).toThrow(refused('reason must have at most 2000 characters.'));
  });
});

it('isSlug and isTag accept only strings in the right form', () => {
  expect(['a', 'a-b1', 'a'.repeat(80)].filter(isSlug)).toHaveLength(3);
  expect(['', '-a', 'a-', 'a--b', 'A', 'a b', 'a\n', 'a'.repeat(81)].filter(isSlug)).toEqual([]);
  expect(['a', '-a-', 'a--b', 'a'.repeat(40)].filter(isTag)).toHaveLength(4);
  expect(['', 'A', 'a b', ' a', 'a'.repeat(41)].filter(isTag)).toEqual([]);
});

it('the error for a stale revision names the stored revision', () => {
  const stale = (message: string) => expect.objectContaining({ code: 'invalid_state', grpcStatus: 10, message });
  const check = (stored: number, expected: number, same: boolean) => () => checkRevision({ stored, expected, same });
  expect(check(0, 2, false)).toThrow(stale('Revision 2 was expected, but there is none yet.'));
  expect(check(3, 2, false)).toThrow(stale('Revision 2 was expected, but it has revision 3; read it again.'));
  expect(check(3, -1, true)).toThrow(refused('expected_revision must be 0 or more.'));
  for (const expected of [0, 2, 3]) checkRevision({ stored: 3, expected, same: true });
});
