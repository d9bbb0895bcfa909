import { type ArticleRecord, EditorialServiceService } from '@knowledge/proto/knowledge/content/v1/editorial';
import type { Command } from 'commander';
import type { Act } from '../../act.js';
import type { EditorialClient } from '../../connection/editorial-client.js';
import { addExamples } from '../../global-options.js';
import { distinct } from '../../ids.js';
import { reasonOption, siteOption } from '../../options.js';
import { type ArticleView, presentArticle } from '../../present/article.js';
import { required } from '../../present/required.js';
import { readableTime } from '../../print/time.js';
import { withEach } from '../../several.js';
import { findArticle } from './find.js';

type Move = 'publishArticle' | 'archiveArticle' | 'returnArticleToDraft';

const moves: readonly { name: string; description: string; move: Move; example: string }[] = [
  {
    name: 'publish',
    description: 'publish drafts or archived articles; one whose published_at is to come appears then',
    move: 'publishArticle',
    example: 'article publish rolling-out-sso',
  },
  {
    name: 'archive',
    description: 'withdraw articles from readers; "publish" brings them back',
    move: 'archiveArticle',
    example: 'article archive rolling-out-sso --site org --reason "superseded"',
  },
  {
    name: 'draft',
    description: 'take published or archived articles back to draft',
    move: 'returnArticleToDraft',
    example: 'article draft rolling-out-sso --reason "figures to be checked"',
  },
];

/** `article publish`, `archive` and `draft`: the three moves between the states. */
export function addArticleMoves(parent: Command, act: Act): void {
  for (const { name, description, move, example } of moves) {
    const command = parent
      .command(name)
      .description(description)
      .argument('<slug...>', 'their names in URLs')
      .addOption(siteOption('their site; needed only where both sites have the slug'))
      .addOption(reasonOption())
      .action(
        act(async (session, slugs: string[], { site, reason }: { site?: string; reason: string }) => {
          const editorial = session.connect('content', EditorialServiceService);
          const make = async (slug: string): Promise<ArticleView> => {
            const { entry } = await findArticle(editorial, session, slug, site);
            const request = { site: required(entry).site, slug, reason, expectedRevision: 0 };
            const { article } = await moveTo(editorial, move, request, session.call());
            return presentArticle(required(article));
          };
          const text = (now: ArticleView) => `${now.slug} on ${now.site} is ${now.state}${comesAt(now)}.`;
          await withEach(session, distinct(slugs), make, { text });
        }),
      );
    addExamples(command, example);
  }
}

function comesAt({ state, published_at }: ArticleView): string {
  return state === 'scheduled' ? `: readers see it from ${readableTime(published_at)} UTC` : '';
}

function moveTo(
  editorial: EditorialClient,
  move: Move,
  ...[request, call]: Parameters<EditorialClient['publishArticle']>
): Promise<{ article: ArticleRecord | undefined }> {
  return editorial[move](request, call);
}
