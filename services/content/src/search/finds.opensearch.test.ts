import { randomUUID } from 'node:crypto';
import { describe } from 'vitest';
import { connectCluster } from './opensearch/cluster.js';
import { openSearchEngine } from './opensearch/engine.js';
import { testFinding } from './testing/finds.js';

const url = process.env.OPENSEARCH_TEST_URL;

describe.skipIf(url === undefined)('in OpenSearch', () => {
  const index = `finds-${randomUUID()}`;
  const nobody = { username: undefined, password: undefined, ca: undefined };
  const cluster = connectCluster({ nodes: [url ?? 'http://none'], ...nobody, index });
  testFinding(
    () => Promise.resolve(openSearchEngine(cluster, index)),
    async () => void (await cluster({ method: 'POST', path: `/${index}-1/_refresh` }, AbortSignal.timeout(10_000))),
  );
});
