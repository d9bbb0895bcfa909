import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { type PromptView, presentPrompt } from '../../present/prompt.js';
import { required } from '../../present/required.js';
import { formatHistory, presentTransition } from '../../present/transition.js';
import { formatDetails, formatText } from '../../print/details.js';
import type { Paint } from '../../print/paint.js';
import { readableTime } from '../../print/time.js';
import { findPromptId } from './find.js';

type PromptDetail = PromptView & { history: ReturnType<typeof presentTransition>[] };

export function addPromptShow(parent: Command, act: Act): void {
  const command = parent
    .command('show')
    .description('show one prompt with its whole question and its history')
    .argument('<id>', 'its UUID, or as much of it as tells it apart')
    .action(
      act(async (session, word: string) => {
        const prompts = session.connect('contributions', PromptServiceService);
        const id = await findPromptId(session, prompts, word);
        const { prompt, history } = await prompts.getPromptRecord({ id }, session.call());
        const detail = { ...presentPrompt(required(prompt)), history: history.map(presentTransition) };
        session.print.thing(detail, format);
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
  return facts + formatHistory(prompt.history) + formatText('Question', prompt.question);
}
