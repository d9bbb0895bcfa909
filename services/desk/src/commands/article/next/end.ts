import type { Command } from 'commander';
import { toNextRevision } from '../../../actions/article/read-draft.js';
import { presentDraft } from '../../../article/present-draft.js';
import type { CommandHandler } from '../../../command-handler.js';
import { confirm } from '../../../confirm.js';
import { addExamples } from '../../../global-options.js';
import { reasonOption, siteOption } from '../../../options.js';
import { sites } from '../../../words.js';
import { requireDraft } from './require-draft.js';

interface Options {
  site?: string;
  reason: string;
}

/** Adds `article next unschedule` and `article next discard`. */
export function addNextEnds(parent: Command, handle: CommandHandler): void {
  const unschedule = parent
    .command('unschedule')
    .description('take the time back at which the draft would appear; the draft stays')
    .argument('<slug>', 'the name of the article in URLs')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .addOption(reasonOption())
    .action(
      handle(async (session, slug: string, { site, reason }: Options) => {
        const { drafts, draft } = await requireDraft(session, slug, site);
        const request = { site: draft.entry.site, slug, reason, expectedRevision: draft.notice.revision };
        const answer = await drafts.unscheduleArticleDraft(request, session.callContext());
        const { body: _, ...view } = presentDraft(toNextRevision(answer.draft));
        session.print.result(view, () => `The draft of ${slug} on ${view.site} has no time now.`);
      }),
    );
  addExamples(unschedule, 'article next unschedule rolling-out-sso --reason "the release is late"');

  const discard = parent
    .command('discard')
    .description('delete the draft with its text; the article does not change')
    .argument('<slug>', 'the name of the article in URLs')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .addOption(reasonOption())
    .action(
      handle(async (session, slug: string, { site: wanted, reason }: Options) => {
        const { drafts, draft } = await requireDraft(session, slug, wanted);
        const { entry, notice } = draft;
        const site = sites.fromWire(entry.site);
        const by = notice.authors.join(', ');
        await confirm(session, `Delete the draft of ${slug} on ${site} by ${by}: its text is lost.`);
        const request = { site: entry.site, slug, reason, expectedRevision: notice.revision };
        await drafts.discardArticleDraft(request, session.callContext());
        session.print.result({ slug, site, state: 'discarded' }, () => `The draft of ${slug} on ${site} is deleted.`);
      }),
    );
  addExamples(discard, 'article next discard rolling-out-sso --reason "not needed"');
}
