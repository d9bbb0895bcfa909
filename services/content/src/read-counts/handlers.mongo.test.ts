import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { afterAll, expect, it } from 'vitest';
import { asEditor, serveContent } from '../testing/serve-content.js';

const served = await serveContent();
afterAll(() => served.close());

it('adds reads of articles, a batch once, and lists the most read of a site', async () => {
  const { searchCounts, db } = served;
  const reads = [
    { site: Site.ORG, slug: 'often', reads: 5 },
    { site: Site.ORG, slug: 'seldom', reads: 1 },
    { site: Site.IO, slug: 'elsewhere', reads: 3 },
    { site: Site.UNSPECIFIED, slug: 'nowhere', reads: 1 },
    { site: Site.ORG, slug: 'never', reads: 0 },
  ];
  await searchCounts.countReads({ batch: 'one', reads }, asEditor);
  await searchCounts.countReads({ batch: 'one', reads }, asEditor);
  await searchCounts.countReads({ batch: 'two', reads: reads.slice(1, 2) }, asEditor);
  const most = async (site: Site) => (await searchCounts.listMostRead({ site, limit: 0 }, asEditor)).articles;
  expect(await most(Site.ORG)).toEqual([reads[0], { ...reads[1], reads: 2 }]);
  expect((await most(Site.UNSPECIFIED)).map(({ slug }) => slug)).toEqual(['often', 'elsewhere', 'seldom']);
  await db.collection('read_counts').updateMany({ slug: 'often' }, { $set: { expireAt: new Date(0) } });
  expect((await most(Site.ORG)).map(({ slug }) => slug)).toEqual(['seldom']);
  const unnamed = searchCounts.countReads({ batch: '', reads }, asEditor);
  await expect(unnamed).rejects.toMatchObject({ code: 'validation_error' });
  const many = Array.from({ length: 501 }, () => ({ site: Site.ORG, slug: 'a', reads: 1 }));
  await expect(searchCounts.countReads({ batch: 'b', reads: many }, asEditor)).rejects.toThrow('500');
});
