import type { Metrics } from '@knowledge/runtime/telemetry';
import type { Content } from './content.js';

/** Tells how the memory of answers does and how fresh its knowledge is. */
export function showHeld(metrics: Metrics, content: Pick<Content, 'state'>): void {
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
    () => (performance.now() - Math.max(0, content.state().knownUntil)) / 1000,
  );
  metrics.read({ name: 'knowledge_change_feed_connected', help: '1 while changes are being heard of' }, () =>
    content.state().following ? 1 : 0,
  );
}
