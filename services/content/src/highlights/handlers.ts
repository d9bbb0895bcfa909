import type { ContentServiceService, Highlight as WireHighlight } from '@knowledge/proto/knowledge/content/v1/content';
import type { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import { type Handlers, requireAttribution } from '@knowledge/runtime/grpc';
import { requireSite } from '@knowledge/runtime/wire';
import { toWireEntry } from '../articles/wire.js';
import { checkHighlights, type Highlight, joinHighlights } from './domain.js';
import type { HighlightStore } from './store.js';

type HighlightHandlers = Pick<Handlers<ContentServiceService>, 'listHighlights'> &
  Pick<Handlers<EditorialServiceService>, 'setHighlights'>;

export function highlightHandlers(highlights: HighlightStore): HighlightHandlers {
  return {
    async listHighlights(request, { signal }) {
      const site = requireSite(request.site);
      const { choices, revision } = await highlights.read(site, signal);
      // The articles are read after the choices, so that articles which were archived meanwhile are left out.
      const slugs = choices.map(({ slug }) => slug);
      const published = await highlights.published(site, slugs, signal);
      return { highlights: toWireHighlights(joinHighlights(choices, published)), revision };
    },

    async setHighlights(request, context) {
      const site = requireSite(request.site);
      const choices = request.highlights.map(({ slug, editorNote }) => ({ slug, note: editorNote }));
      checkHighlights(choices);
      const act = requireAttribution(context);
      const { expectedRevision = 0 } = request;
      const published = await highlights.set({ site, choices, expectedRevision }, act, context);
      context.log.info({ site, count: choices.length, actor: act.actor }, 'highlights set');
      return { highlights: toWireHighlights(joinHighlights(choices, published)) };
    },
  };
}

/** Numbers the highlights from 1, without gaps. */
function toWireHighlights(highlights: readonly Highlight[]): WireHighlight[] {
  return highlights.map(({ entry, note }, index) => ({
    entry: toWireEntry(entry),
    position: index + 1,
    editorNote: note,
  }));
}
