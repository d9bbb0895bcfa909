import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import { bounds } from '@knowledge/runtime/product';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { idHelp } from '../../ids.js';
import { reasonOption } from '../../options.js';
import { presentPrompt } from '../../present/prompt.js';
import { requireField } from '../../present/require-field.js';
import { findPromptId } from './find.js';

export function addPromptCorrect(parent: Command, handle: CommandHandler): void {
  const command = parent
    .command('correct')
    .description('change the question of a scheduled prompt, which readers have not seen yet')
    .argument('<id>', idHelp)
    .requiredOption('--question <text>', `${bounds.question.min} to ${bounds.question.max} characters`)
    .addOption(reasonOption())
    .action(
      handle(async (session, word: string, { question, reason }: { question: string; reason: string }) => {
        const prompts = session.connect('contributions', PromptServiceService);
        const id = await findPromptId(session, prompts, word);
        const { prompt } = await prompts.correctPrompt({ id, question, reason }, session.callContext());
        session.print.result(
          presentPrompt(requireField(prompt)),
          (now) => `Prompt ${id} on ${now.site} asks now: ${now.question}`,
        );
      }),
    );
  addExamples(command, 'prompt correct ID --question "Which rollout did you stop, and what told you to?"');
}
