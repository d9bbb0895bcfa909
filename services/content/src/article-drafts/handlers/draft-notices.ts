import type { ArticleDraftNotice } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { ArticleName } from '../../domain/article.js';
import type { ArticleDraftStore } from '../store/article-drafts.js';
import { toWireNotice } from './wire-draft.js';

/** Makes the reader of what listings of articles say about their drafts. The keys are `site/slug`. */
export function draftNotices({ notices }: Pick<ArticleDraftStore, 'notices'>) {
  return async (
    names: readonly ArticleName[],
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ArticleDraftNotice>> => {
    const found = await notices(names, signal);
    return new Map([...found].map(([name, notice]) => [name, toWireNotice(notice)]));
  };
}
