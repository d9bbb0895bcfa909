import { SearchWordsServiceService } from '@knowledge/proto/knowledge/content/v1/search';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { requireField } from '../../present/require-field.js';
import { formatDetails } from '../../print/details.js';
import { readableTime, timestamp } from '../../print/time.js';
import { addTextOptions, findText, type TextOptions, textHelp } from './find-text.js';

export function addGlossShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show the gloss of a text, and whether the text has changed since')
    .argument('<text>', textHelp);
  addTextOptions(command).action(
    handle(async (session, word: string, how: TextOptions) => {
      const client = session.connect('content', SearchWordsServiceService);
      const text = await findText(session, word, how);
      const found = await client.getGloss({ text }, session.callContext());
      const { title, summary } = requireField(found.gloss);
      const result = {
        text: word,
        title,
        summary,
        updated_by: found.updatedBy,
        updated_at: timestamp(found.updatedAt),
        written_for_revision: found.writtenForRevision,
        text_revision: found.textRevision,
      };
      session.print.result(result, (shown, paint) => {
        const changed = shown.text_revision > shown.written_for_revision;
        const revision = `${shown.text_revision}${changed ? `; the gloss is of ${shown.written_for_revision}` : ''}`;
        return formatDetails(
          [
            ['text', shown.text],
            ['title', shown.title],
            ['summary', shown.summary],
            ['changed, UTC', readableTime(shown.updated_at)],
            ['by', shown.updated_by],
            ['revision of the text', revision],
          ],
          paint,
        );
      });
    }),
  );
  addExamples(command, 'gloss show dyzury-w-zakladzie-produkcyjnym');
}
