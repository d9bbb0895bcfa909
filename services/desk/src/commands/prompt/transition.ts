import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { confirm } from '../../confirm.js';
import { addExamples } from '../../global-options.js';
import { idHelp } from '../../ids.js';
import { presentPrompt } from '../../present/prompt.js';
import { requireField } from '../../present/require-field.js';
import type { Session } from '../../session.js';
import { confirmOpening } from './confirm-opening.js';
import { findPromptId, type PromptClient } from './find.js';

const transitions = [
  {
    name: 'activate',
    description: "open a scheduled prompt; the site's active one is closed in the same step, for good",
    method: 'activatePrompt',
    confirmFirst: async (session: Session, prompts: PromptClient, id: string) => {
      const { prompt } = await prompts.getPromptRecord({ id }, session.callContext());
      const { site, state } = requireField(prompt);
      if (state === 'PROMPT_STATE_SCHEDULED') await confirmOpening(session, prompts, site);
    },
  },
  {
    name: 'close',
    description: 'close a scheduled or active prompt for good',
    method: 'closePrompt',
    confirmFirst: async (session: Session, prompts: PromptClient, id: string) => {
      const { prompt } = await prompts.getPromptRecord({ id }, session.callContext());
      const { question, state } = presentPrompt(requireField(prompt));
      if (state !== 'closed') await confirm(session, `Close the ${state} prompt for good: ${question}`);
    },
  },
] as const;

export function addPromptTransitions(parent: Command, handle: CommandHandler): void {
  for (const { name, description, method, confirmFirst } of transitions) {
    const command = parent
      .command(name)
      .description(description)
      .argument('<id>', idHelp)
      .action(
        handle(async (session, word: string) => {
          const prompts = session.connect('contributions', PromptServiceService);
          const id = await findPromptId(session, prompts, word);
          if (!session.yes) await confirmFirst(session, prompts, id);
          const { prompt } = await prompts[method]({ id }, session.callContext());
          session.print.result(
            presentPrompt(requireField(prompt)),
            ({ site, state }) => `Prompt ${id} on ${site} is ${state}.`,
          );
        }),
      );
    addExamples(command, `prompt ${name} ID`);
  }
}
