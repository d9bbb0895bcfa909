import { randomBytes } from 'node:crypto';
import { createLogger, type Environment, flushLog, listenAt, type RunningProcess } from '@knowledge/runtime';
import { type Metrics, startTelemetry, watchRequests } from '@knowledge/runtime/telemetry';
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
  const log = createLogger({ name: 'gateway', level: config.LOG_LEVEL, pretty: config.LOG_PRETTY });
  const telemetry = await startTelemetry('gateway', config, log);
  const watch = watchRequests(telemetry);
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
  let draining = false;
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
  const app = await createApp(gateway, () => draining);
  // For `localhost` Fastify starts a second server, which sends no response to malformed HTTP.
  const address = await listenAt(config.HTTP_ADDRESS, (host, port) =>
    app.listen({ host: host === 'localhost' ? '127.0.0.1' : host, port }),
  );
  return {
    address,
    log,
    async close() {
      draining = true;
      await new Promise((resolve) => setTimeout(resolve, config.DRAIN_DELAY_SECONDS * 1000));
      await app.close();
      content.close();
      await searchCounts.close();
      tokens.close();
      await quota.close();
      clients.close();
      await telemetry.close();
      await flushLog(log);
    },
  };
}

/** Exports the hits and misses of the cache, and the seconds since its last proof of being up to date. */
function exportCacheMetrics(metrics: Metrics, content: Pick<Content, 'state'>): void {
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
