import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import type { Command } from 'commander';
import { presentHighlight } from '../../article/present-article.js';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { limitOption, siteOption } from '../../options.js';
import { sites } from '../../words.js';
import { highlightColumns } from './columns.js';

export function addHighlightList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description("list a site's highlights in their order")
    .addOption(siteOption().makeOptionMandatory())
    .addOption(limitOption())
    .action(
      handle(async (session, { site, limit }: { site: string; limit?: number }) => {
        const content = session.connect('content', ContentServiceService);
        const { highlights } = await content.listHighlights({ site: sites.toWire(site) }, session.callContext());
        const shown = highlights.slice(0, limit).map(presentHighlight);
        session.print.list(shown, highlightColumns, { one: 'highlight', none: `No highlights on ${site}.` });
      }),
    );
  addExamples(command, 'highlight list --site org');
}
