import { decideDue } from '../domain/article-decisions.js';
import type { ArticleReads } from '../store/article-reads.js';
import type { ArticleWrites } from '../store/article-writes.js';
import type { ScheduledTexts } from './publication-clock.js';

/** The scheduled articles that the publication clock publishes at their time of publication. */
export function scheduledArticles(
  { due, nextDue }: Pick<ArticleReads, 'due' | 'nextDue'>,
  { change }: Pick<ArticleWrites, 'change'>,
): ScheduledTexts {
  return {
    name: 'publication clock',
    due,
    nextDue,
    publish: (name, act, signal) => change(name, (before) => decideDue(before, act), { signal }),
  };
}
