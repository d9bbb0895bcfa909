import type { ArticleRecord } from '@knowledge/proto/knowledge/content/v1/editorial';
import { readableTime, timestamp } from '../../print/time.js';

/** Says what a change of an article would take from its next revision; undefined if that is not scheduled. */
export function scheduleLoss({ draft }: Pick<ArticleRecord, 'draft'>): string | undefined {
  if (draft?.publishAt === undefined) return undefined;
  const when = readableTime(timestamp(draft.publishAt));
  return (
    `${draft.scheduledBy} scheduled its next revision for ${when} UTC. If you change the article now, ` +
    'that does not appear until somebody has compared the two and scheduled it again.'
  );
}
