import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import type { Db, Document } from 'mongodb';
import { articleToPut } from '../harness/articles.js';
import { asTester, type System } from '../harness/system.js';
import { quantile, timed } from './benchmark.js';

/** The median time of a list page in milliseconds, from the metrics of the content service. */
export interface PageCost {
  articles: number;
  first: number;
  deep: number;
}

const pageSize = 50;

/**
 * Compares list page 1 with list page `page`, in alternating calls to the content service. The articles are copied
 * directly into the database, because one transaction for each would take many minutes.
 */
export async function measureDeepPage(
  system: System,
  db: Db,
  articles: number,
  page: number,
  turns: number,
): Promise<PageCost> {
  await system.clients.editorial.putArticle(articleToPut({ slug: 'deep-0', site: Site.IO }), asTester());
  const collection = db.collection<{ _id: string } & Document>('articles');
  const model = await collection.findOne({ slug: 'deep-0' });
  if (model === null) throw new Error('The model article is not stored.');
  for (let from = 1; from < articles; from += 5_000) {
    const copies = Array.from({ length: Math.min(5_000, articles - from) }, (_, at) => copyOf(model, from + at));
    await collection.insertMany(copies, { ordered: false });
  }
  let token = '';
  for (let at = 1; at < page; at += 1) token = (await ask(system, token)).nextPageToken;
  const first: number[] = [];
  const deep: number[] = [];
  for (let turn = 0; turn < turns; turn += 1) {
    first.push(await timed(() => ask(system, '')));
    deep.push(await timed(() => ask(system, token)));
  }
  return { articles, first: quantile(first, 0.5), deep: quantile(deep, 0.5) };
}

function copyOf(model: { _id: string } & Document, at: number): { _id: string } & Document {
  const publishedAt = new Date(Date.UTC(2020, 0, 1) + at * 60_000);
  const slug = `deep-${at}`;
  return { ...model, _id: model._id.replace('deep-0', slug), slug, published_at: publishedAt };
}

function ask(system: System, pageToken: string) {
  const request = { site: Site.IO, pageSize, pageToken, query: '', tag: '', updatedSince: undefined };
  return system.clients.content.listArticles(request, { requestId: 'bench' });
}
