import type { Command } from 'commander';
import { presentDraft } from '../../../article/present-draft.js';
import type { CommandHandler } from '../../../command-handler.js';
import { addExamples } from '../../../global-options.js';
import { siteOption } from '../../../options.js';
import { terminalSafeLine } from '../../../print/terminal-safe.js';
import { requireDraft } from './require-draft.js';

export function addNextDiff(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('diff')
    .description('show what the draft would change in the article as readers have it now')
    .argument('<slug>', 'the name of the article in URLs')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .option('--words', 'show changed words inside their lines, as [-removed-] and {+added+}')
    .action(
      handle(async (session, slug: string, { site, words }: { site?: string; words?: boolean }) => {
        const { articleDifference } = await import('../../../difference/article-difference.js');
        const { formatDifference } = await import('../../../difference/format-difference.js');
        const { patchOf } = await import('@knowledge/runtime/difference');
        const { article, draft } = await requireDraft(session, slug, site);
        const difference = articleDifference(article, draft);
        const { body: _, ...view } = presentDraft(draft);
        const fields = difference.fields.map(({ block: _, ...field }) => field);
        session.print.result({ ...view, fields, body_patch: patchOf(difference.hunks) }, (_, paint) => {
          const base = view.is_outdated ? `, which is based on revision ${view.draft.base_revision}` : '';
          const heading = `revision ${view.article_revision} → the draft by ${view.draft.authors.join(', ')}${base}`;
          const changes = formatDifference(difference, words === true ? 'words' : 'lines', paint);
          return `${paint.quiet(terminalSafeLine(heading))}\n\n${changes}`;
        });
      }),
    );
  addExamples(command, 'article next diff rolling-out-sso --words', 'article next diff rolling-out-sso --json');
}
