import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { describe, expect, it } from 'vitest';
import { readObject } from '../import/object-file.js';
import { readArticle } from './article-file.js';

const fields = { slug: 'a-b', title: 'A', summary: null, tags: 'one, two ,', published_at: '2026-02-03' };

describe('readArticle', () => {
  it('reads tags from a text, dates as midnight UTC, and the site from the command line', () => {
    const { request, key } = readArticle(
      { fields, body: 'text' },
      { site: 'io', publish: true, overwrite: false, reason: '' },
    );
    expect(request).toMatchObject({ site: Site.IO, slug: 'a-b', summary: '', tags: ['one', 'two'], publish: true });
    expect(request.publishedAt).toEqual(new Date('2026-02-03T00:00:00Z'));
    expect(key).toBe('io/a-b');
  });

  it('prefers the site in the file', () => {
    const own = { fields: { ...fields, site: 'org' }, body: 'text' };
    expect(readArticle(own, { site: undefined, publish: false, overwrite: false, reason: '' }).request.site).toBe(
      Site.ORG,
    );
    const given = { site: 'io', publish: false, overwrite: false, reason: '' };
    expect(readArticle(own, given).request.site).toBe(Site.ORG);
  });

  it('uses the revision that the export wrote, but not with --overwrite', () => {
    const exported = { fields: { ...fields, revision: '7' }, body: 'text' };
    const given = { site: 'io', publish: false, overwrite: false, reason: 'typos' };
    expect(readArticle(exported, given).request).toMatchObject({ expectedRevision: 7, reason: 'typos' });
    expect(readArticle(exported, { ...given, overwrite: true }).request.expectedRevision).toBe(0);
    const bad = { fields: { ...fields, revision: 'last' }, body: 'text' };
    expect(() => readArticle(bad, given)).toThrow('revision: must be a whole number from 1');
  });

  it('names all wrong fields at once', () => {
    const bad = { fields: { title: ['a'], tags: { a: 'b' }, published_at: '2026-02-31' }, body: ' \n' };
    expect(() => readArticle(bad, { site: undefined, publish: false, overwrite: false, reason: '' })).toThrow(
      /^site: .*; slug: is missing; title: must be text; tags: .*; published_at: .*; body: is empty$/,
    );
  });

  it('lists unknown fields', () => {
    const { unknown } = readArticle(
      { fields: { ...fields, sumary: 'x' }, body: 'x' },
      { site: 'io', publish: false, overwrite: false, reason: '' },
    );
    expect(unknown).toEqual(['sumary']);
  });
});

describe('readObject', () => {
  it('uses the kind knowledge by default', () => {
    const { request } = readObject({ fields: { id: 'ABC', title: 'T' }, body: 'x' }, { site: 'org', reason: '' });
    expect(request).toMatchObject({ id: 'abc', kind: 'OBJECT_KIND_KNOWLEDGE', site: Site.ORG });
  });

  it('refuses an unknown kind', () => {
    const bad = { fields: { id: 'a', title: 'T', kind: 'recipe' }, body: 'x' };
    expect(() => readObject(bad, { site: 'org', reason: '' })).toThrow(
      'kind: must be one of story, prompt_reply, knowledge',
    );
  });
});
