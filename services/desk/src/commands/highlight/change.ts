import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import type { HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { presentHighlight } from '../../article/present-article.js';
import { confirm } from '../../confirm.js';
import type { EditorialClient } from '../../connection/editorial-client.js';
import { type LostHighlight, lostBy } from '../../highlights/lost-by.js';
import type { Session } from '../../session.js';
import { sites } from '../../words.js';
import { highlightColumns } from './columns.js';

/**
 * Changes the highlights of a site and prints the new list. Asks the user first if a highlight or a note would be lost,
 * because the service does not store old lists. A list that somebody changed meanwhile is not overwritten.
 */
export async function changeHighlights(
  session: Session,
  editorial: EditorialClient,
  site: string,
  decide: (before: readonly HighlightChoice[]) => HighlightChoice[],
): Promise<void> {
  const content = session.connect('content', ContentServiceService);
  const stored = await content.listHighlights({ site: sites.toWire(site) }, session.callContext());
  const before = stored.highlights.map(({ entry, editorNote }) => ({ slug: entry?.slug ?? '', editorNote }));
  const wanted = decide(before);
  const lost = lostBy(before, wanted);
  if (lost.length > 0) {
    const what = `This changes the highlights of ${site}. Removed highlights and notes are not kept.`;
    await confirm(session, what, lost.map(describe).join('\n'));
  }
  const request = { site: sites.toWire(site), highlights: wanted, expectedRevision: stored.revision };
  const { highlights } = await editorial.setHighlights(request, session.callContext());
  session.print.list(highlights.map(presentHighlight), highlightColumns, {
    one: 'highlight',
    none: `${site} has no highlights now.`,
  });
}

function describe({ slug, note, isRemoved }: LostHighlight): string {
  if (!isRemoved) return `${slug} loses its note: ${note}`;
  return `${slug} is removed${note === '' ? '' : `, with its note: ${note}`}`;
}
