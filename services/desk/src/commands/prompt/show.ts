import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { idsHelp, wholeIds } from '../../ids.js';
import { type PromptView, presentPrompt } from '../../present/prompt.js';
import { required } from '../../present/required.js';
import { formatHistory, presentTransition } from '../../present/transition.js';
import { formatDetails, formatText } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { withEach } from '../../several.js';
import { findPromptId } from './find.js';

type PromptDetail = PromptView & { history: ReturnType<typeof presentTransition>[] };

export function addPromptShow(parent: Command, act: Act): void {
  const command = parent
    .command('show')
    .description('show prompts with their whole question and their history')
    .argument('<id...>', idsHelp)
    .action(
      act(async (session, words: string[]) => {
        const prompts = session.connect('contributions', PromptServiceService);
        const ids = await wholeIds(words, (word) => findPromptId(session, prompts, word));
        const read = async (id: string): Promise<PromptDetail> => {
          const { prompt, history } = await prompts.getPromptRecord({ id }, session.call());
          return { ...presentPrompt(required(prompt)), history: history.map(presentTransition) };
        };
        await withEach(session, ids, read, { text: format, between: '\n\n\n' });
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
