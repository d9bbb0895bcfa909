import { expect, it } from 'vitest';
import type { ContentResponse } from '../../api/content-response.js';
import { sites } from '../../testing/stand-ins.js';
import { createFeed } from './feed.js';

const context = { id: 'test', deadline: Date.now() + 1_000 };
const article = {
  title: 'A <b>title</b> & more\u0000',
  summary: 'What \ud800 happened',
  author: 'Ada "A" Example',
  language: 'de',
  tags: ['sso'],
  published_at: '2026-06-02T09:00:00Z',
  updated_at: '2026-11-22T09:00:00Z',
  revision: 1,
  human_url: 'https://org.example/articles/a?site=org',
};
const story = {
  kind: 'story',
  title: 'A story',
  summary: 'It was so.',
  author: '',
  published_at: '2026-06-04T09:00:00Z',
  updated_at: '2026-06-04T09:00:00Z',
  human_url: 'https://org.example/objects/1',
};

it('has the newest first, escaped, in their languages, with the time of the last change', async () => {
  const { xml } = await createFeed(listsOf(), sites)('org', context);
  expect([...xml.matchAll(/<id>(.*?)<\/id>/g)].map(([, id]) => id)).toEqual([
    'https://org.example/?site=org',
    story.human_url,
    article.human_url,
  ]);
  expect(xml).toContain('<title>A &lt;b&gt;title&lt;/b&gt; &amp; more</title>');
  expect(xml).toContain('<summary>What  happened</summary>');
  expect(xml).toContain('<entry xml:lang="de">');
  expect(xml).toContain('<category term="sso"/>');
  // As the API tells it, also of an article that was imported after its publication.
  const updated = [...xml.matchAll(/<updated>(.*?)<\/updated>/g)].map(([, at]) => at);
  expect(updated).toEqual([article.updated_at, story.updated_at, article.updated_at]);
});

it('leaves out an empty summary', async () => {
  const { xml } = await createFeed(listsOf({ ...story, summary: '' }), sites)('org', context);
  expect(xml.match(/<summary>/g)).toHaveLength(1);
});

it('has the own words of a reply as its title, not the question that all replies share', async () => {
  const reply = { ...story, kind: 'prompt_reply', title: 'Reply to: What did it teach you?', summary: 'Patience.' };
  const { xml } = await createFeed(listsOf(reply), sites)('org', context);
  expect(xml).toContain('<title>Patience.</title>');
  expect(xml).not.toContain('Reply to:');
});

it('marks the name that somebody of the community chose, and no other', async () => {
  const names = async (object: typeof story) => {
    const { xml } = await createFeed(listsOf(object), sites)('org', context);
    return [...xml.matchAll(/<entry.*?<name>(.*?)<\/name>/gs)].map(([, name]) => name);
  };
  const editor = 'Ada &quot;A&quot; Example';
  expect(await names({ ...story, author: 'The editors' })).toEqual(['The editors (community)', editor]);
  expect(await names(story)).toEqual(['(community)', editor]);
  expect(await names({ ...story, kind: 'knowledge', author: 'Bo' })).toEqual(['Bo', editor]);
});

it('is written once for as long as its lists are the same', async () => {
  const lists = listsOf();
  const feed = createFeed(lists, sites);
  const first = await feed('org', context);
  lists.articles.fill('!');
  expect(await feed('org', context)).toBe(first);
});

function listsOf(object = story) {
  const articles = Buffer.from(JSON.stringify({ entries: [article] }));
  const objects = Buffer.from(JSON.stringify({ entries: [object] }));
  const answer = (body: Buffer): ContentResponse => ({ body, etag: '', dependencies: [] });
  return { articles, index: () => answer(articles), catalog: () => answer(objects) };
}
