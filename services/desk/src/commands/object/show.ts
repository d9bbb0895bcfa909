import { type CommunityObject, ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, resolveIds } from '../../ids.js';
import { presentObject } from '../../present/object.js';
import { requireField } from '../../present/require-field.js';
import { formatDetails, formatText } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { findObjectId } from './find.js';

export function addObjectShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show objects of the catalog with their bodies')
    .argument('<id...>', `${idsHelp}; a published contribution keeps its id`)
    .action(
      handle(async (session, words: string[]) => {
        const content = session.connect('content', ContentServiceService);
        const ids = await resolveIds(words, (word) => findObjectId(session, content, word));
        const read = async (id: string) =>
          presentObjectDetail(requireField((await content.getObject({ id }, session.callContext())).object));
        await forEachNamed(session, ids, read, { text: format, between: '\n\n\n' });
      }),
    );
  addExamples(command, 'object show ID', 'object show ID --json');
}

function presentObjectDetail({ entry, body, prompt }: CommunityObject) {
  return { ...presentObject(requireField(entry)), body, body_format: 'markdown' as const, prompt: prompt ?? null };
}

function format(object: ReturnType<typeof presentObjectDetail>, paint: Paint): string {
  const facts = formatDetails(
    [
      ['id', object.id],
      ['kind', object.kind],
      ['site', object.site],
      ['state', object.state],
      ['title', object.title],
      ['by', object.author],
      ['language', object.language],
      ['answers', object.prompt?.question ?? null],
      ['published, UTC', readableTime(object.published_at)],
      ['updated, UTC', readableTime(object.updated_at)],
      ['edited, UTC', readableTime(object.edited_at)],
      ['reading tokens', object.reading_tokens],
    ],
    paint,
  );
  return facts + formatText('Body', object.body, paint);
}
