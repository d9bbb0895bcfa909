import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { idHelp } from '../../ids.js';
import { reasonOption } from '../../options.js';
import { presentPrompt } from '../../present/prompt.js';
import { required } from '../../present/required.js';
import { findPromptId } from './find.js';

export function addPromptCorrect(parent: Command, act: Act): void {
  const command = parent
    .command('correct')
    .description('give a scheduled prompt another question; readers have not seen it yet')
    .argument('<id>', idHelp)
    .requiredOption('--question <text>', '10 to 500 characters')
    .addOption(reasonOption())
    .action(
      act(async (session, word: string, { question, reason }: { question: string; reason: string }) => {
        const prompts = session.connect('contributions', PromptServiceService);
        const id = await findPromptId(session, prompts, word);
        const { prompt } = await prompts.correctPrompt({ id, question, reason }, session.call());
        session.print.thing(
          presentPrompt(required(prompt)),
          (now) => `Prompt ${id} on ${now.site} asks now: ${now.question}`,
        );
      }),
    );
  addExamples(command, 'prompt correct ID --question "Which rollout did you stop, and what told you to?"');
}
