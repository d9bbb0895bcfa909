import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { Article } from '@knowledge/proto/knowledge/content/v1/content';
import { createMarkdownRenderer } from '@knowledge/runtime/markdown';
import { describe, expect, it } from 'vitest';
import type { SiteProfile } from '../documents/site-profile.js';
import { createSites } from '../upstream/sites.js';
import { privacyPage } from './orientation/about-page.js';
import { type ArticleEntry, type ObjectEntry, objectEntries } from './published/entries.js';
import { indexPage } from './published/index-page.js';
import { promptsPage } from './published/prompts-page.js';
import { type FoundSearch, searchPage } from './published/search-page.js';
import { articlePage } from './published/text-page.js';

const urls = {
  PUBLIC_URL_IO: 'http://localhost:8080',
  PUBLIC_URL_ORG: 'http://localhost:8080',
  DEFAULT_SITE: 'org',
} as const;
const sites = createSites(urls);
const textOf = (markup: string) =>
  markup
    .replace(/<[^>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .replace(/ ([.,:])/g, '$1');

it('a reply in a list begins with its own words and names its question once', () => {
  const reply = {
    kind: 'prompt_reply',
    title: 'Reply to: What did it teach you?',
    summary: 'Patience.',
    author: '',
    published_at: '2026-06-04T09:00:00Z',
    human_url: 'http://localhost:8080/objects/1',
  } as ObjectEntry;
  const { markup } = objectEntries([reply], 2);
  expect(markup).toContain('>Patience.</a></h2>');
  expect(textOf(markup)).toContain('In reply to: What did it teach you?');
});

it('the prompts of a site that has none begin with where they are', () => {
  const lede = (site: 'io' | 'org') =>
    textOf(
      /<p class="lede">.*?<\/p>/s.exec(
        promptsPage({ site, cursor: '', prompts: undefined, replies: [] }, sites),
      )?.[0] ?? '',
    );
  expect(lede('io')).toContain('on Organisation. The replies are published there.');
  expect(lede('org')).toContain('One question at a time');
});

it('a privacy notice is linked where there is one beside this page', () => {
  const privacy = (of: typeof sites) => {
    const service = { site: 'org', base: of.base('org'), bases: {}, operator: of.operator } as unknown as SiteProfile;
    return privacyPage(service, of);
  };
  const main = (markup: string) => markup.slice(markup.indexOf('<article'), markup.indexOf('</article>'));
  expect(main(privacy(sites))).not.toMatch(/privacy notice/i);
  const notice = 'https://example.org/privacy';
  expect(main(privacy(createSites({ ...urls, PRIVACY_URL: notice })))).toContain(`<a href="${notice}">privacy notice`);
});

it('the first page tells texts of the community from those of the editors', () => {
  const text = (kind: 'story' | 'knowledge', title: string) =>
    ({ kind, title, summary: '', author: '', published_at: '2026-06-04T09:00:00Z', human_url: '/' }) as ObjectEntry;
  const shown = (community: ObjectEntry[], knowledge: ObjectEntry[]) => {
    const view = { highlights: [], articles: [], prompt: null, elsewhere: [] };
    return textOf(indexPage('org', { ...view, community, knowledge }, sites));
  };
  const both = shown([text('story', 'Lived')], [text('knowledge', 'Written')]);
  expect(both).toMatch(/From the community .*Lived.* Knowledge, by the editors .*Written/);
  expect(shown([], [text('knowledge', 'Written')])).not.toContain('From the community');
});

it('the byline of an article has no words for programs', () => {
  const entry = { site: Site.ORG, slug: 'a', title: 'A', author: 'Ada', readingTokens: 7, wordCount: 500 };
  const article = Article.fromPartial({ entry, body: 'Words.' });
  const markup = articlePage(article, {}, sites, createMarkdownRenderer(1000));
  expect(textOf(/<p class="byline".*?<\/p>/s.exec(markup)?.[0] ?? '').trim()).toBe('Ada · 1 January 1970 · 2 min read');
  expect(textOf(markup)).toContain('Where this is from From the editors');
});

describe('the page of a search', () => {
  const asked = {
    home: 'org',
    site: 'org',
    q: 'sso',
    kind: '',
    language: '',
    tag: '',
    author: '',
    cursor: '',
  } as const;
  const hit = (title: string, weak: boolean) => ({
    kind: 'article',
    title,
    weak,
    snippet: null,
    summary: '',
    gloss: null,
  });
  const found = (good: number, weak: number) =>
    ({
      entries: Array.from({ length: good + weak }, (_, at) => ({
        ...hit(`Text ${at}`, at >= good),
        ...{
          published_at: '2026-06-04T09:00:00Z',
          human_url: '/',
          author: '',
          word_count: 1,
          language: 'en',
          matched: [],
        },
      })),
      ...{ total: 200, did_you_mean: null, hint: null, other_sites: [], elsewhere: [], next_cursor: 'next' },
      facets: {
        kind: [
          { value: 'article', count: 200 },
          { value: 'story', count: 1 },
        ],
        language: [],
        tag: [],
      },
    }) as unknown as FoundSearch;

  it('counts what fits, and folds the few first of the rest, after which the list ends', () => {
    const markup = searchPage(asked, found(2, 18), undefined, sites);
    const [folded = ''] = /<details.*<\/details>/s.exec(markup) ?? [];
    expect(textOf(markup)).toContain('2 texts, best match first.');
    expect(folded.match(/<h3/g)).toHaveLength(5);
    expect(folded).not.toMatch(/^<details[^>]* open/);
    expect(markup).not.toMatch(/cursor=|>200</);
    expect(searchPage(asked, found(20, 0), undefined, sites)).toMatch(/cursor=next.*>200</s);
  });

  it('shows all there is, if nothing fits well', () => {
    const markup = searchPage(asked, found(0, 20), undefined, sites);
    expect(markup).toMatch(/200 texts.*<h2[^>]*>Less likely<.*cursor=next/s);
    expect(markup.match(/<h3/g)).toHaveLength(20);
  });

  it('begins with what the editors chose and what articles are about', () => {
    const highlights = [
      { ...found(1, 0).entries[0], title: 'Chosen', editor_note: '' } as unknown as ArticleEntry & {
        editor_note: string;
        position: number;
      },
    ];
    const start = { highlights, tags: [{ name: 'rollout', count: 3 }] };
    expect(textOf(searchPage({ ...asked, q: '' }, undefined, start, sites))).toMatch(
      /Chosen by the editors .*Chosen.* rollout 3/,
    );
  });
});
