import { ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import { type Command, Option } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { readListPages } from '../../connection/list-pages.js';
import { addExamples } from '../../global-options.js';
import { limitOption, siteOption } from '../../options.js';
import { type ObjectView, objectKinds, presentObject } from '../../present/object.js';
import type { Column } from '../../print/table.js';
import { readableTime } from '../../print/time.js';
import { sites } from '../../words.js';

interface Options {
  site?: string;
  kind?: string;
  limit?: number;
}

export function addObjectList(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('list')
    .description('list what the catalog shows, newest first: knowledge objects and published contributions')
    .addOption(siteOption('only this site (default: both, one after the other)'))
    .addOption(new Option('--kind <kind>', 'only this kind').choices(objectKinds.words))
    .addOption(limitOption())
    .action(
      handle(async (session, { site, kind, limit }: Options) => {
        const content = session.connect('content', ContentServiceService);
        const found: ObjectView[] = [];
        let cut = false;
        for (const each of site === undefined ? sites.words : [site]) {
          const filter = { site: sites.toWire(each), kind: objectKinds.toWire(kind) };
          const left = limit === undefined ? undefined : limit - found.length;
          if (left === 0) {
            cut = true;
            break;
          }
          const entries = await readListPages(left, session.print, async (pageSize, pageToken) => {
            const page = await content.listObjects({ ...filter, pageSize, pageToken }, session.callContext());
            return { items: page.entries, nextPageToken: page.nextPageToken };
          });
          found.push(...entries.items.map(presentObject));
          cut ||= entries.cut;
        }
        session.print.list(found, columns, { one: 'object', cut });
      }),
    );
  addExamples(command, 'object list --site org', 'object list --kind story --json');
}

const columns: readonly Column<ObjectView>[] = [
  { header: 'id', value: (each) => each.id, isId: true },
  { header: 'kind', value: (each) => each.kind },
  { header: 'site', value: (each) => each.site },
  { header: 'title', value: (each) => each.title, flexible: true, minWidth: 24 },
  { header: 'by', value: (each) => each.author ?? '-', flexible: true, dropPriority: 2 },
  { header: 'published, UTC', value: (each) => readableTime(each.published_at), dropPriority: 1 },
];
