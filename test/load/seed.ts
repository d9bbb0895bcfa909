import type { Db } from 'mongodb';
import { articleToPut } from '../harness/articles.js';
import { asTester, type System } from '../harness/system.js';

export function articleId(at: number): string {
  return `bench-${at}`;
}

/** Makes a body of 4 kB that is different for each article. */
export function bodyOf(at: number): string {
  const sentence = `Article ${at} tells what a team of ${(at % 90) + 3} people learned when they moved on. `;
  return sentence.repeat(Math.ceil(4_096 / sentence.length)).slice(0, 4_096);
}

/** Creates articles through the editorial service. */
export async function seedSystem(system: System, count: number): Promise<void> {
  const first = Date.UTC(2024, 0, 1);
  let next = 0;
  const worker = async (): Promise<void> => {
    for (let at = next++; at < count; at = next++) {
      const request = articleToPut({
        slug: articleId(at),
        title: `What we learned, part ${at}`,
        tags: [`topic-${at % 500}`, `team-${at % 900}`],
        body: bodyOf(at),
        publishedAt: new Date(first + at * 60_000),
      });
      await system.clients.editorial.putArticle(request, asTester());
      if (at % 2_000 === 0) console.error(`  ${at} of ${count}`);
    }
  };
  await Promise.all(Array.from({ length: 4 }, worker));
}

/** Inserts the same articles into the database of the reference server. */
export async function seedReference(db: Db, count: number): Promise<void> {
  const documents = Array.from({ length: count }, (_, at) => ({
    _id: `org/${articleId(at)}`,
    slug: articleId(at),
    title: `What we learned, part ${at}`,
    summary: 'A summary of what happened.',
    tags: [`topic-${at % 500}`, `team-${at % 900}`],
    language: 'en',
    author: 'Ada Example',
    published_at: '2026-06-01T09:00:00Z',
    updated_at: '2026-06-01T09:00:00Z',
    word_count: 800,
    source: 'knowledge_base',
    body: bodyOf(at),
    body_format: 'markdown',
    revision: 1,
  }));
  await db.collection<{ _id: string }>('articles').insertMany(documents);
}
