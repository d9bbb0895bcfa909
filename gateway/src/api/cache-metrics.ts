import type { Metrics } from '@knowledge/runtime/telemetry';
import type { Content } from './content.js';

/** Exports the hits and misses of the cache, and the seconds since its last proof of being up to date. */
export function exportCacheMetrics(metrics: Metrics, content: Pick<Content, 'state'>): void {
  metrics.readTotal(
    {
      name: 'knowledge_hold_answers_total',
      help: 'Answers about what is published, from memory (hit) or from the content service (miss)',
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
    { name: 'knowledge_change_feed_lag_seconds', help: 'Since when nothing proves that every change was heard of' },
    () => (performance.now() - Math.max(0, content.state().provenUntil)) / 1000,
  );
  metrics.read({ name: 'knowledge_change_feed_connected', help: '1 while changes are being heard of' }, () =>
    content.state().following ? 1 : 0,
  );
}
