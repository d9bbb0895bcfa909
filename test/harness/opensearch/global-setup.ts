import { startOpenSearch } from './node.js';

/** Sets `OPENSEARCH_TEST_URL` to one real node, unless it is already set. Without Java or Maven the tests that need it are left out. */
export async function setup(): Promise<(() => Promise<void>) | undefined> {
  if (process.env['OPENSEARCH_TEST_URL']) return undefined;
  try {
    const node = await startOpenSearch();
    process.env['OPENSEARCH_TEST_URL'] = node.url;
    return () => node.close();
  } catch (error) {
    const [why] = String(error).split('\n');
    process.stderr.write(`OpenSearch of the tests: LEFT OUT, every test of the engine (${why})\n`);
    return undefined;
  }
}
