import { type CommunityObject, ContentServiceService } from '@knowledge/proto/knowledge/content/v1/content';
import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, wholeIds } from '../../ids.js';
import { presentObject } from '../../present/object.js';
import { required } from '../../present/required.js';
import { formatDetails, formatText } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { withEach } from '../../several.js';
import { findObjectId } from './find.js';

export function addObjectShow(parent: Command, act: Act): void {
  const command = parent
    .command('show')
    .description('show objects of the catalog with their bodies')
    .argument('<id...>', `${idsHelp}; of a published contribution, the id of that`)
    .action(
      act(async (session, words: string[]) => {
        const content = session.connect('content', ContentServiceService);
        const ids = await wholeIds(words, (word) => findObjectId(session, content, word));
        const read = async (id: string) =>
          presentDetail(required((await content.getObject({ id }, session.call())).object));
        await withEach(session, ids, read, { text: format, between: '\n\n\n' });
      }),
    );
  addExamples(command, 'object show ID', 'object show ID --json');
}

function presentDetail({ entry, body, prompt }: CommunityObject) {
  return { ...presentObject(required(entry)), body, body_format: 'markdown' as const, prompt: prompt ?? null };
}

function format(object: ReturnType<typeof presentDetail>, paint: Paint): string {
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
    ],
    paint,
  );
  return facts + formatText('Body', object.body, paint);
}
