import type { Metrics } from '@knowledge/runtime/telemetry';
import type { Content } from './content.js';

/** Exports the hits and misses of the cache, and the seconds since its last proof of being up to date. */
export function exportCacheMetrics(metrics: Metrics, content: Pick<Content, 'state'>): void {
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
