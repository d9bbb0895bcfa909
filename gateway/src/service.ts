import { randomBytes } from 'node:crypto';
import type { Environment, RunningProcess } from '@knowledge/runtime';
import { startHttpService } from '@knowledge/runtime/http';
import type { Metrics } from '@knowledge/runtime/telemetry';
import { type Content, createContent } from './api/content.js';
import { createFastPath } from './api/fast-path.js';
import { createContinuations } from './api/parts/continuation.js';
import { createApp } from './app.js';
import { readGatewayConfig } from './config.js';
import { createForms } from './http/compression/forms.js';
import { createClients } from './upstream/clients.js';
import { createSearchCounts } from './upstream/content/search-counts.js';
import { createQuota } from './upstream/quota/quota.js';
import { createSites } from './upstream/sites.js';
import { createTokenResolver } from './upstream/tokens.js';

/** The share of the cache's memory for the compressed forms of listings, documents and pages. */
const compressedShare = 1 / 16;

const unknownHost =
  'a request named a host of neither site: a proxy must pass on the Host of its client, or send it as X-Forwarded-Host and be in TRUSTED_PROXIES; told once';

/** Starts a gateway; services may start later. Throws a ConfigError for a wrong configuration. */
export async function start(env: Environment): Promise<RunningProcess> {
  const config = readGatewayConfig(env);
  return startHttpService('gateway', config.HTTP_ADDRESS, config, async ({ log, telemetry, watch, isDraining }) => {
    const clients = createClients(config, log, telemetry);
    const sites = createSites(config, (host) => log.warn({ host }, unknownHost));
    const cacheBytes = config.HOLD_MEGABYTES * 1024 * 1024;
    const content = createContent({
      client: clients.content,
      searchClient: clients.search,
      sites,
      cacheBytes: cacheBytes * (1 - compressedShare),
      onSearchRefused: watch.shed,
      log,
    });
    const continuations = createContinuations(config.CONTINUATION_KEY ?? randomBytes(32).toString('hex'));
    const forms = createForms({ maxBytes: cacheBytes * compressedShare });
    const fastPath = createFastPath({ content, forms, log, watch });
    exportCacheMetrics(telemetry.metrics, content);
    const tokens = createTokenResolver(clients.identity);
    const quota = createQuota({ client: clients.quota, telemetry, log });
    const searchCounts = createSearchCounts(clients.searchCounts);
    const gateway = {
      config,
      sites,
      content,
      continuations,
      fastPath,
      forms,
      tokens,
      quota,
      clients,
      searchCounts,
      log,
      watch,
    };
    const app = await createApp(gateway, isDraining);
    return {
      // For `localhost` Fastify starts a second server, which sends no response to malformed HTTP.
      listen: (host, port) => app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port }),
      handle: app.routing,
      async close() {
        await app.close();
        content.close();
        await searchCounts.close();
        tokens.close();
        await quota.close();
        clients.close();
      },
    };
  });
}

/** Exports the hits and misses of the cache, and the seconds since its last proof of being up to date. */
function exportCacheMetrics(metrics: Metrics, content: Pick<Content, 'state'>) {
  metrics.readTotal(
    {
      name: 'knowledge_hold_answers_total',
      help: 'Responses about published content, from the cache (hit) or from the content service (miss)',
      labels: ['result'],
    },
    () => {
      const { hits, misses } = content.state();
      return [
        [{ result: 'hit' }, hits],
        [{ result: 'miss' }, misses],
      ];
    },
  );
  metrics.read(
    { name: 'knowledge_change_feed_lag_seconds', help: 'Seconds since it was last proven that no change is missing' },
    () => (performance.now() - Math.max(0, content.state().provenUntil)) / 1000,
  );
  metrics.read(
    { name: 'knowledge_change_feed_connected', help: '1 while the gateway receives changes from content' },
    () => (content.state().following ? 1 : 0),
  );
}
