import { expect, it } from 'vitest';
import type { SiteProfile } from '../documents/site-profile.js';
import { createSites } from '../upstream/sites.js';
import { aboutPage } from './orientation/about-page.js';
import { type ObjectEntry, objectEntries } from './published/entries.js';
import { promptsPage } from './published/prompts-page.js';

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
  const about = (of: typeof sites) => {
    const service = { site: 'org', base: of.base('org'), bases: {}, operator: of.operator } as unknown as SiteProfile;
    return aboutPage(service, of);
  };
  const main = (markup: string) => markup.slice(markup.indexOf('<article'), markup.indexOf('</article>'));
  expect(main(about(sites))).not.toMatch(/privacy notice/i);
  const notice = 'https://example.org/privacy';
  expect(main(about(createSites({ ...urls, PRIVACY_URL: notice })))).toContain(
    `<a href="${notice}">privacy notice</a>`,
  );
});
