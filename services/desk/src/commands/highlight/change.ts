import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import type { HighlightChoice } from '@knowledge/proto/knowledge/content/v1/editorial';
import { presentHighlight } from '../../article/present-article.js';
import { confirm } from '../../confirm.js';
import type { EditorialClient } from '../../connection/editorial-client.js';
import type { Session } from '../../session.js';
import { sites } from '../../words.js';
import { highlightColumns } from './columns.js';

/**
 * Changes the highlights of a site and prints the new list. Asks the user first if a highlight or a note would be lost,
 * because the service does not store old lists.
 */
export async function changeHighlights(
  session: Session,
  editorial: EditorialClient,
  site: string,
  decide: (before: readonly HighlightChoice[]) => HighlightChoice[],
): Promise<void> {
  const content = session.connect('content', ContentServiceService);
  const { highlights: shown } = await content.listHighlights({ site: sites.toWire(site) }, session.callContext());
  const before = shown.map(({ entry, editorNote }) => ({ slug: entry?.slug ?? '', editorNote }));
  const wanted = decide(before);
  const lost = lostBy(before, wanted);
  if (lost.length > 0) {
    const what = `This changes the highlights of ${site}. Removed highlights and notes are not kept.`;
    await confirm(session, what, lost.join('\n'));
  }
  const request = { site: sites.toWire(site), highlights: wanted };
  const { highlights } = await editorial.setHighlights(request, session.callContext());
  session.print.list(highlights.map(presentHighlight), highlightColumns, {
    one: 'highlight',
    none: `${site} has no highlights now.`,
  });
}

/** Describes each highlight or note that the change removes. */
function lostBy(before: readonly HighlightChoice[], after: readonly HighlightChoice[]): string[] {
  return before.flatMap(({ slug, editorNote }) => {
    const now = after.find((each) => each.slug === slug);
    if (now === undefined) return [`${slug} is removed${editorNote === '' ? '' : `, with its note: ${editorNote}`}`];
    return editorNote !== '' && now.editorNote !== editorNote ? [`${slug} loses its note: ${editorNote}`] : [];
  });
}
