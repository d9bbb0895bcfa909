import { EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import { findArticle } from '../../actions/article/find-article.js';
import { presentArticle } from '../../article/present-article.js';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { addExamples } from '../../global-options.js';
import { reasonOption, siteOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';

export function addArticleDelete(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('delete')
    .description('delete a draft with its text and its history; an article that readers see is archived instead')
    .argument('<slug>', 'its name in URLs')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .addOption(reasonOption())
    .action(
      handle(async (session, slug: string, { site: wanted, reason }: { site?: string; reason: string }) => {
        const editorial = session.connect('content', EditorialServiceService);
        const record = await findArticle(editorial, session, slug, wanted);
        const { title, site, revision, state } = presentArticle(record);
        if (state === 'draft') await confirm(session, `Delete the draft "${title}" on ${site}: its text is lost.`);
        const request = { site: requireField(record.entry).site, slug, reason, expectedRevision: revision };
        await editorial.deleteArticle(request, session.callContext());
        session.print.result({ slug, site, state: 'deleted' }, () => `${slug} on ${site} is deleted.`);
      }),
    );
  addExamples(command, 'article delete rolling-out-sso --site org --reason "made by mistake"');
}
