import type { Command } from 'commander';
import { type DraftView, presentDraft } from '../../../article/present-draft.js';
import type { CommandHandler } from '../../../command-handler.js';
import { addExamples } from '../../../global-options.js';
import { siteOption } from '../../../options.js';
import { formatDetails, formatText } from '../../../print/details.js';
import type { Paint } from '../../../print/paint.js';
import { terminalSafeText } from '../../../print/terminal-safe.js';
import { readableTime } from '../../../print/time.js';
import { requireDraft } from './require-draft.js';

export function addNextShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show the draft of the next revision, who wrote it, and when it appears')
    .argument('<slug>', 'the name of the article in URLs')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .option('--markdown', 'write it as a file that "article next put" reads')
    .action(
      handle(async (session, slug: string, { site, markdown }: { site?: string; markdown?: boolean }) => {
        const { draft } = await requireDraft(session, slug, site);
        const { articleMarkdown } = await import('../../../export/article-markdown.js');
        const file = articleMarkdown(draft, draft.notice.revision).replace(/\n$/, '');
        const shown = session.host.stdout.isTTY ? terminalSafeText(file) : file;
        session.print.result(presentDraft(draft), markdown === true ? () => shown : format);
      }),
    );
  addExamples(
    command,
    'article next show rolling-out-sso',
    'article next show rolling-out-sso --markdown > rolling-out-sso.md',
  );
}

function format({ draft, is_outdated, article_revision, ...article }: DraftView, paint: Paint): string {
  const base = `${draft.base_revision}${is_outdated ? ` (the article has ${article_revision} now)` : ''}`;
  const lines = [
    ...(['slug', 'site', 'title', 'summary'] as const).map((name) => [name, article[name]] as const),
    ['tags', article.tags.join(', ')],
    ...(['author', 'language'] as const).map((name) => [name, article[name]] as const),
    ['published, UTC', readableTime(article.published_at)],
    ['words', article.word_count],
    ['based on', base],
    ['draft revision', draft.revision],
    ['written by', draft.authors.join(', ')],
    ['changed, UTC', readableTime(draft.updated_at)],
    ['appears, UTC', readableTime(draft.publish_at)],
    ['decided by', draft.scheduled_by],
    ['missed, UTC', readableTime(draft.missed_at)],
    ['because', draft.missed_reason],
  ] as const;
  return formatDetails(lines, paint) + formatText('Body', article.body, paint);
}
