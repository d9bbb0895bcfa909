import type { ListHighlightsRequest, ListHighlightsResponse } from '@knowledge/proto/knowledge/content/v1/content';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { joinHighlights } from '../domain/highlights.js';
import type { ArticleReads } from '../store/article-reads.js';
import type { HighlightStore } from '../store/highlights.js';
import { presentHighlights } from './present-article.js';
import { readSite } from './wire-enums.js';

export function handleListHighlights(
  highlights: HighlightStore,
  reads: ArticleReads,
): UnaryHandler<ListHighlightsRequest, ListHighlightsResponse> {
  return async (request, { signal }) => {
    const site = readSite(request.site);
    const { choices } = await highlights.read(site, signal);
    // Read after the choices: what was archived meanwhile is left out.
    const slugs = choices.map(({ slug }) => slug);
    const published = await reads.publishedEntries(site, slugs, signal);
    return { highlights: presentHighlights(joinHighlights(choices, published)) };
  };
}
