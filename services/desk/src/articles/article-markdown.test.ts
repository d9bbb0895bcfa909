import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { ArticleState } from '@knowledge/proto/knowledge/content/v1/content';
import { ArticleRecord, PutArticleRequest } from '@knowledge/proto/knowledge/content/v1/editorial';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readFrontMatter } from '../files/front-matter.js';
import { articleMarkdown, readArticle } from './article-file.js';

const text = fc.string({ unit: 'grapheme' }).map((value) => value.trim());
const tag = fc.stringMatching(/^[a-z0-9]{1,8}$/);
const instant = fc.date({ min: new Date('1990-01-01'), max: new Date('2100-01-01'), noInvalidDate: true });
const lines = fc.array(fc.oneof(text, fc.constantFrom('', '---', '\r', '  code', '# Heading', '\ufeff', 'a: b')));

it('articleMarkdown writes a file that the import reads back without loss', async () => {
  const article = fc.record({
    slug: fc.constantFrom('a', '2026', 'true', 'null', 'rolling-out-sso'),
    title: text.filter((value) => value !== ''),
    summary: text,
    tags: fc.uniqueArray(tag, { maxLength: 4 }),
    author: fc.oneof(text, fc.constantFrom('no', '~', '1.10', '2026-01-01', 'Ada "the" O\'Hara: #1')),
    language: fc.constantFrom('en', 'no', 'pt-BR'),
    revision: fc.integer({ min: 1, max: 2 ** 40 }),
    publishedAt: fc.option(instant, { nil: undefined }),
    body: lines.map((all) => all.join('\n')).filter((value) => value.trim() !== ''),
  });
  await fc.assert(
    fc.asyncProperty(article, async ({ body, ...facts }) => {
      const entry = { ...facts, site: Site.ORG, updatedAt: undefined, wordCount: 0 };
      const record: object = { entry, body, state: ArticleState.DRAFT };
      const read = readFrontMatter(Buffer.from(articleMarkdown(ArticleRecord.fromPartial(record))));
      const options = { site: undefined, publish: false, schedule: false, overwrite: false, reason: '' };
      const { request } = await readArticle(read, 'a.md', options);
      const { revision: _, ...written } = facts;
      const whole: object = { ...written, body, site: Site.ORG, expectedRevision: facts.revision };
      expect(request).toEqual(PutArticleRequest.fromPartial(whole));
    }),
    { numRuns: 500 },
  );
});
