import { address, authorities, integer, list, string } from '@knowledge/runtime';
import { serviceConfig } from '@knowledge/runtime/service';
import type { ClusterOptions } from './search/opensearch/cluster.js';

export const readContentConfig = serviceConfig({
  GRPC_ADDRESS: address({ default: '127.0.0.1:50051' }),
  MONGODB_DATABASE: string({ default: 'knowledge_content' }),
  SEARCH_INDEX_MEGABYTES: integer({
    min: 1,
    max: 4096,
    default: 150,
    description: 'memory of the search index above which a warning is logged',
  }),
  SEARCH_URL: list({
    of: 'URLs that start with http:// or https://',
    accepts: (node) => /^https?:/.test(node) && URL.canParse(node),
    description: 'nodes of the OpenSearch cluster that searches; without them content searches in memory',
  }),
  SEARCH_USERNAME: string({ optional: true }),
  SEARCH_PASSWORD: string({ optional: true, secret: true }),
  SEARCH_CA: authorities('of the cluster'),
  SEARCH_INDEX: string({
    default: 'knowledge-texts',
    accepts: (name) => /^[a-z][a-z0-9-]{0,99}$/.test(name),
    description: 'the name of the index in the cluster',
  }),
});

export type ContentConfig = ReturnType<typeof readContentConfig>;

/** The cluster that the configuration names. */
export function clusterOf(config: ContentConfig): ClusterOptions | undefined {
  const { SEARCH_URL, SEARCH_USERNAME, SEARCH_PASSWORD, SEARCH_CA, SEARCH_INDEX } = config;
  if (SEARCH_URL.length === 0) return undefined;
  return {
    nodes: SEARCH_URL,
    username: SEARCH_USERNAME,
    password: SEARCH_PASSWORD,
    ca: SEARCH_CA,
    index: SEARCH_INDEX,
  };
}
