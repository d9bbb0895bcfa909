import { fileURLToPath } from 'node:url';
import { findMongodBinary } from '@knowledge/local/mongod';
import { deskOf } from '../harness/desk.js';
import { startReplicaSet } from '../harness/replica-set.js';
import { type System, startSystem } from '../harness/system.js';
import { until } from '../harness/until.js';
import { readSampleDocuments, sampleFolder, sites } from './queries.js';
import { clusterSettings, dropIndex, untilIndexed } from './search-cluster.js';

/** Starts the system with the sample content, uses it, and ends it. */
export function onSampleSystem<T>(use: (system: System) => Promise<T>): Promise<T> {
  return onEmptySystem(async (system) => {
    await importSample(system);
    return use(system);
  });
}

/** Starts the system without content, uses it, and ends it. */
export async function onEmptySystem<T>(use: (system: System) => Promise<T>): Promise<T> {
  const binary = await findMongodBinary({ env: process.env, log: (line) => console.error(line) });
  const mongod = await startReplicaSet(1, { binary });
  try {
    const system = await startSystem({ mongodbUri: mongod.uri, envOf: { content: clusterSettings } });
    try {
      return await use(system);
    } finally {
      await system.close();
      await dropIndex();
    }
  } finally {
    await mongod.stop();
  }
}

async function importSample(system: System): Promise<void> {
  const desk = deskOf(system);
  for (const site of sites) {
    const articles = fileURLToPath(new URL(`${site}/articles`, sampleFolder));
    const objects = fileURLToPath(new URL(`${site}/objects`, sampleFolder));
    await desk.json('article', 'import', articles, '--publish', '--site', site);
    await desk.json('object', 'import', objects, '--site', site);
  }
  // As the first start does it: a gloss needs its text.
  await desk.json('synonym', 'import', fileURLToPath(new URL('synonyms.yaml', sampleFolder)));
  await desk.json('gloss', 'import', fileURLToPath(new URL('glosses.yaml', sampleFolder)));
  await until(
    'every sample text to be listed',
    async () => (await countListed(system.url)) === readSampleDocuments().length,
    30_000,
  );
  await untilIndexed(readSampleDocuments().length);
}

async function countListed(base: string): Promise<number> {
  const paths = sites.flatMap((site) => [`content?site=${site}`, `objects/catalog?site=${site}`]);
  const counts = await Promise.all(
    paths.map(async (path) => {
      const response = await fetch(`${base}/api/v1/${path}&limit=200`);
      return ((await response.json()) as { entries: unknown[] }).entries.length;
    }),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}
