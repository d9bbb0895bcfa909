import { type Command, Option } from 'commander';
import { presentArticle } from '../../../article/present-article.js';
import type { CommandHandler } from '../../../command-handler.js';
import { addExamples } from '../../../global-options.js';
import { readAtRevision } from '../../../ids.js';
import { parseTime, reasonOption, siteOption } from '../../../options.js';
import { requireField } from '../../../present/require-field.js';
import { readableTime } from '../../../print/time.js';
import { requireDraft } from './require-draft.js';

interface Options {
  site?: string;
  at?: Date;
  reason: string;
}

export function addNextPublish(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('publish')
    .description('make the draft the next revision, which readers see at once or from a time on')
    .argument('<slug>', 'the name of the article in URLs; SLUG@revision to refuse a draft that changed since')
    .addOption(siteOption('its site; needed only where both sites have the slug'))
    .addOption(
      new Option('--at <time>', 'when readers get it; a change of the article before then stops it').argParser(
        parseTime,
      ),
    )
    .addOption(reasonOption())
    .action(
      handle(async (session, word: string, { site, at, reason }: Options) => {
        const { id: slug, revision } = readAtRevision(word);
        const { drafts, draft } = await requireDraft(session, slug, site);
        const expectedRevision = revision || draft.notice.revision;
        const request = { site: draft.entry.site, slug, at, reason, expectedRevision };
        const { article } = await drafts.publishArticleDraft(request, session.callContext());
        session.print.result(presentArticle(requireField(article)), (now) => {
          if (now.draft !== null) {
            return `The draft of ${now.slug} on ${now.site} appears at ${readableTime(now.draft.publish_at)} UTC.`;
          }
          return `${now.slug} on ${now.site} is ${now.state} and has revision ${now.revision} now.`;
        });
      }),
    );
  addExamples(
    command,
    'article next publish rolling-out-sso --reason "with the release"',
    'article next publish rolling-out-sso --at 2026-06-01T09:00:00Z',
  );
}
