import type { ScheduledTexts } from '../../workers/publication-clock.js';
import { decideDraftDue } from '../domain/draft-publication.js';
import type { ArticleDraftStore } from '../store/article-drafts.js';

/** The drafts that the publication clock publishes at their time. */
export function scheduledDrafts({ due, nextDue, change }: ArticleDraftStore): ScheduledTexts {
  return {
    name: 'draft publication clock',
    due,
    nextDue,
    publish: (name, { actor, at }, signal) =>
      change(name, (state) => decideDraftDue(state, { now: at, actor }), { signal }),
  };
}
