import { Site } from '@knowledge/proto/knowledge/common/v1/common';
import { articleToPut } from '../harness/articles.js';
import { asTester, type System } from '../harness/system.js';
import { type Collection, type CollectionQuery, readCollection } from './collection.js';
import { type Hit, ndcg, recall } from './measures.js';
import { askPeers } from './peers/peers.js';
import { onEmptySystem } from './sample-system.js';
import { search } from './search-api.js';
import { untilIndexed } from './search-cluster.js';

/** How many articles are put at a time. */
const atOnce = 8;
const depth = 10;
/** An article has no longer title. The rest stands in the body. */
const longestTitle = 190;

/** Imports a collection into an empty system, asks its queries, and prints the figures beside those of other searches. */
export async function measureCollection(folder: string): Promise<void> {
  const collection = readCollection(folder);
  const hits = await onEmptySystem(async (system) => {
    const slugs = await putAll(collection, system);
    await untilIndexed(collection.texts.length);
    const found: Hit[][] = [];
    for (const { query } of collection.queries) found.push(await search(system.url, { query, site: 'all' }, slugs));
    return found;
  });
  const { texts, queries } = collection;
  console.log(`${folder}: ${texts.length} texts, ${queries.filter(isAnswerable).length} queries with an answer\n`);
  console.log('| | nDCG@10 | success@3 | recall@10 | helpful but weak | unhelpful and weak | unanswerable, all weak |');
  console.log('|---|---|---|---|---|---|---|');
  console.log(row('this search', queries, hits));
  for (const peer of askPeers(collection)) {
    const plain = peer.hits.map((each) => each.map((document) => ({ document, weak: false })));
    console.log(row(peer.name, queries, plain));
  }
}

/** Puts each text as an article. Returns the ids by slug. */
async function putAll({ texts }: Collection, { clients }: System): Promise<Map<string, string>> {
  const ids = new Map<string, string>();
  const waiting = texts.entries();
  const put = async (): Promise<void> => {
    for (const [at, { id, title, body, language }] of waiting) {
      const slug = `text-${at}`;
      ids.set(slug, id);
      const rest = title.slice(longestTitle);
      const article = {
        ...{ slug, site: Site.ORG, language, author: 'A', summary: '', tags: [] },
        title: title.slice(0, longestTitle) || `${at}`,
        body: `${rest}\n${body}`.trim() || title,
      };
      const putIt = () => clients.editorial.putArticle(articleToPut(article), asTester());
      // On a busy machine a put may be late.
      await putIt().catch(putIt);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, put));
  return ids;
}

function row(name: string, queries: readonly CollectionQuery[], hits: readonly (readonly Hit[])[]): string {
  const outcomes = queries.map((query, at) => ({ query, hits: hits[at] ?? [] }));
  const answerable = outcomes.filter(({ query }) => isAnswerable(query));
  const others = outcomes.filter(({ query }) => !isAnswerable(query));
  const first = answerable.flatMap(({ query, hits: found }) =>
    found.slice(0, depth).map(({ document, weak }) => ({ weak, isHelpful: isHelpful(query, document) })),
  );
  const figures = [
    mean(answerable.map(ndcg)),
    mean(
      answerable.map(({ query, hits: found }) =>
        Number(found.slice(0, 3).some((hit) => isHelpful(query, hit.document))),
      ),
    ),
    mean(answerable.map(recall)),
    mean(first.filter((hit) => hit.isHelpful).map(({ weak }) => Number(weak))),
    mean(first.filter((hit) => !hit.isHelpful).map(({ weak }) => Number(weak))),
    mean(others.map(({ hits: found }) => Number(found.every(({ weak }) => weak)))),
  ];
  return `| ${[name, ...figures.map((figure) => figure?.toFixed(3) ?? '–')].join(' | ')} |`;
}

function isAnswerable({ grades }: CollectionQuery): boolean {
  return Object.keys(grades).length > 0;
}

function isHelpful({ grades }: CollectionQuery, document: string): boolean {
  return Object.hasOwn(grades, document);
}

function mean(values: readonly number[]): number | undefined {
  return values.length === 0 ? undefined : values.reduce((sum, value) => sum + value, 0) / values.length;
}
