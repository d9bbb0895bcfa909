import type { SetHighlightsRequest, SetHighlightsResponse } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { UnaryHandler } from '@knowledge/runtime/grpc';
import { checkHighlights, joinHighlights } from '../domain/highlights.js';
import type { HighlightStore } from '../store/highlights.js';
import { actOf, type Clock } from './act.js';
import { presentHighlights } from './present-article.js';
import { readSite } from './wire-enums.js';

export function handleSetHighlights(
  highlights: HighlightStore,
  clock: Clock,
): UnaryHandler<SetHighlightsRequest, SetHighlightsResponse> {
  return async (request, context) => {
    const site = readSite(request.site);
    const choices = request.highlights.map(({ slug, editorNote }) => ({ slug, note: editorNote }));
    checkHighlights(choices);
    const act = actOf(context, clock);
    const published = await highlights.set(site, choices, act, context.signal);
    context.log.info({ site, count: choices.length, actor: act.actor }, 'highlights set');
    return { highlights: presentHighlights(joinHighlights(choices, published)) };
  };
}
