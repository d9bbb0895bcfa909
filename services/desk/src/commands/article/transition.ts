import { type ArticleRecord, EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import { findArticle } from '../../actions/article/find-article.js';
import { scheduleLoss } from '../../actions/article/schedule-loss.js';
import { type ArticleView, presentArticle } from '../../article/present-article.js';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import type { EditorialClient } from '../../connection/editorial-client.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { distinct, readAtRevision } from '../../ids.js';
import { reasonOption, siteOption } from '../../options.js';
import { requireField } from '../../present/require-field.js';
import { readableTime } from '../../print/time.js';

type TransitionMethod = 'publishArticle' | 'archiveArticle' | 'returnArticleToDraft';

const transitions: readonly { name: string; description: string; method: TransitionMethod; example: string }[] = [
  {
    name: 'publish',
    description: 'publish drafts or archived articles; one with a published_at in the future appears at that time',
    method: 'publishArticle',
    example: 'article publish rolling-out-sso',
  },
  {
    name: 'archive',
    description: 'withdraw articles from readers; "publish" brings them back',
    method: 'archiveArticle',
    example: 'article archive rolling-out-sso --site org --reason "superseded"',
  },
  {
    name: 'draft',
    description: 'take published or archived articles back to draft',
    method: 'returnArticleToDraft',
    example: 'article draft rolling-out-sso --reason "figures to be checked"',
  },
];

/** Adds the commands `article publish`, `article archive` and `article draft`. */
export function addArticleTransitions(parent: Command, handle: CommandHandler): void {
  for (const { name, description, method, example } of transitions) {
    const command = parent
      .command(name)
      .description(description)
      .argument('<slug...>', 'their names in URLs; SLUG@revision to refuse a text that changed since')
      .addOption(siteOption('their site; needed only where both sites have the slug'))
      .addOption(reasonOption())
      .action(
        handle(async (session, slugs: string[], { site, reason }: { site?: string; reason: string }) => {
          const editorial = session.connect('content', EditorialServiceService);
          const change = async (word: string): Promise<ArticleView> => {
            const { id: slug, revision } = readAtRevision(word);
            const record = await findArticle(editorial, session, slug, site);
            const loss = scheduleLoss(record);
            if (loss !== undefined) await confirm(session, `${slug}: ${loss}`);
            const request = { site: requireField(record.entry).site, slug, reason, expectedRevision: revision };
            const { article } = await callTransition(editorial, method, request, session.callContext());
            return presentArticle(requireField(article));
          };
          const text = (now: ArticleView) => `${now.slug} on ${now.site} is ${now.state}${scheduleOf(now)}.`;
          await forEachNamed(session, distinct(slugs), change, { text });
        }),
      );
    addExamples(command, example);
  }
}

function scheduleOf({ state, published_at }: ArticleView): string {
  return state === 'scheduled' ? `: readers see it from ${readableTime(published_at)} UTC` : '';
}

function callTransition(
  editorial: EditorialClient,
  method: TransitionMethod,
  ...[request, call]: Parameters<EditorialClient['publishArticle']>
): Promise<{ article: ArticleRecord | undefined }> {
  return editorial[method](request, call);
}
