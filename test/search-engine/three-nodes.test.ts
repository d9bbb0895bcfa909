import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenSearchNode, startThreeNodes } from '../harness/opensearch/node.js';
import { until } from '../harness/until.js';
import { type ContentProcess, dropDatabase, newPlaces, startContent } from './content-process.js';

describe.skipIf(process.env['OPENSEARCH_TEST_URL'] === undefined)('content with three nodes of OpenSearch', () => {
  const places = newPlaces();
  let nodes: OpenSearchNode[] = [];
  let content: ContentProcess;
  beforeAll(async () => {
    nodes = await startThreeNodes();
    content = await startContent({ url: nodes.map(({ url }) => url).join(','), ...places });
  });
  afterAll(async () => {
    await content?.close();
    for (const node of nodes) await node.close();
    await dropDatabase(places.database);
  });

  test('searches on and takes changes while any one of them is killed', async () => {
    await content.put('kept', { title: 'Okapi' });
    await until('it is found', async () => (await content.find('okapi')).length === 1);
    for (const [at, node] of nodes.entries()) {
      const left = nodes.find((each) => each !== node)?.url ?? '';
      await until('there are two copies', () => isGreen(left), 60_000);
      await node.process.kill();
      for (let search = 0; search < 50; search++) expect(await content.find('okapi')).toContain('kept');
      await content.put(`after-${at}`, { title: 'Okapi' });
      await until('the change is found', async () => (await content.find('okapi')).includes(`after-${at}`), 60_000);
      await node.process.restart();
    }
  });
});

/** Whether the cluster has three nodes and every copy of the index. */
async function isGreen(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/_cluster/health?wait_for_nodes=3&wait_for_status=green&timeout=1s`);
  return answer.ok;
}
