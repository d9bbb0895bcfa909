import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { forEachNamed } from '../../for-each-named.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, resolveIds } from '../../ids.js';
import { type PromptView, presentPrompt } from '../../present/prompt.js';
import { requireField } from '../../present/require-field.js';
import { formatHistory, presentTransition } from '../../present/transition.js';
import { formatDetails, formatText } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { findPromptId } from './find.js';

type PromptDetail = PromptView & { history: ReturnType<typeof presentTransition>[] };

export function addPromptShow(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('show')
    .description('show prompts with their whole question and their history')
    .argument('<id...>', idsHelp)
    .action(
      handle(async (session, words: string[]) => {
        const prompts = session.connect('contributions', PromptServiceService);
        const ids = await resolveIds(words, (word) => findPromptId(session, prompts, word));
        const read = async (id: string): Promise<PromptDetail> => {
          const { prompt, history } = await prompts.getPromptRecord({ id }, session.callContext());
          return { ...presentPrompt(requireField(prompt)), history: history.map(presentTransition) };
        };
        await forEachNamed(session, ids, read, { text: format, between: '\n\n\n' });
      }),
    );
  addExamples(command, 'prompt show ID');
}

function format(prompt: PromptDetail, paint: Paint): string {
  const facts = formatDetails(
    [
      ['id', prompt.id],
      ['site', prompt.site],
      ['state', prompt.state],
      ['opens, UTC', readableTime(prompt.opens_at)],
      ['closes, UTC', readableTime(prompt.closes_at)],
      ['made, UTC', readableTime(prompt.created_at)],
      ['revision', prompt.revision],
    ],
    paint,
  );
  return facts + formatHistory(prompt.history, paint) + formatText('Question', prompt.question, paint);
}
