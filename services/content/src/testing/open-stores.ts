import { applySchema } from '@knowledge/runtime/mongodb';
import { openTestDatabase } from '@knowledge/runtime/testing';
import { decideArchive, decidePut } from '../domain/article-decisions.js';
import { checkArticlePut } from '../domain/article-input.js';
import type { ChangeLog } from '../domain/change-log.js';
import { type ArticleReads, createArticleReads } from '../store/article-reads.js';
import { type ArticleWrites, createArticleWrites } from '../store/article-writes.js';
import { createChangeLog } from '../store/change-log.js';
import { collectionsOf } from '../store/documents.js';
import { schema } from '../store/schema.js';
import { createWriter } from '../store/writer.js';
import { articlePut } from './put.js';

/** The stores with their own database, without a running service. */
export interface OpenStores {
  readonly changes: ChangeLog;
  readonly reads: ArticleReads;
  readonly writes: ArticleWrites;
  /** Publishes an article on org with a new title each time. Resolves when the write is acknowledged. */
  publish(slug: string, tags?: string[]): Promise<void>;
  archive(slug: string): Promise<void>;
  close(): Promise<void>;
}

/** Opens the stores on a new database and applies the schema. */
export async function openStores(name: string): Promise<OpenStores> {
  const { client, db, close } = openTestDatabase(name);
  await applySchema(db, schema);
  const collections = collectionsOf(db);
  const writes = createArticleWrites(createWriter(client, collections), collections);
  const call = new AbortController();
  let count = 0;
  const act = () => ({ actor: 'test', at: new Date(), reason: '' });
  return {
    changes: createChangeLog(collections),
    reads: createArticleReads(collections),
    writes,
    async publish(slug, tags = ['t']) {
      count += 1;
      const request = articlePut({ slug, title: `Title ${count}`, tags, publish: true });
      const put = checkArticlePut({ ...request, site: 'org' });
      await writes.change(put, (before) => decidePut(before, put, act()), call);
    },
    async archive(slug) {
      await writes.change({ site: 'org', slug }, (before) => decideArchive(before, 0, act()), call);
    },
    close,
  };
}
