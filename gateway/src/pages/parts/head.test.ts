import { expect, it } from 'vitest';
import { sitesAt } from '../../testing/stand-ins.js';
import { type HeadParts, headOf } from './head.js';

const sites = sitesAt('https://knowledge.example/io', 'https://knowledge.example/org/');
const head = (parts: Partial<HeadParts>): string => headOf({ title: 'A title', ...parts }, 'org', sites).markup;

it('never lets a text out of the data that is made of it', () => {
  const hostile = '</script><script>alert(1)</script><!-- \u2028';
  const markup = head({ data: { headline: hostile } });
  const [, json = ''] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(markup) ?? [];
  expect(JSON.parse(json)).toEqual({ headline: hostile });
  expect(markup.match(/<\/?script|<!--|\u2028/g)).toEqual(['<script', '</script']);
});

it('shows a preview of what has one URL, and none of what search engines leave out', () => {
  const canonical = 'https://knowledge.example/org/articles/a?site=org';
  const published = { at: '2026-06-01T09:00:00Z', changed: '2026-06-02T09:00:00Z', tags: ['sso'] };
  const markup = head({ canonical, description: 'A "summary"', published });
  for (const [name, content] of [
    ['og:type', 'article'],
    ['og:title', 'A title'],
    ['og:description', 'A &quot;summary&quot;'],
    ['og:url', canonical],
    ['article:published_time', '2026-06-01T09:00:00Z'],
    ['article:modified_time', '2026-06-02T09:00:00Z'],
    ['article:tag', 'sso'],
  ]) {
    expect(markup).toContain(`<meta property="${name}" content="${content}">`);
  }
  expect(head({ canonical })).toContain('<meta property="og:type" content="website">');
  const hidden = head({ canonical, noindex: true });
  expect(hidden).toContain('<meta name="robots" content="noindex">');
  expect(hidden).not.toMatch(/og:|twitter:/);
});

it('loads its own style from the host of the page, below the path of the site', () => {
  expect(head({})).toMatch(/<link rel="stylesheet" href="\/org\/assets\/style-[0-9a-f]{12}\.css">/);
});
