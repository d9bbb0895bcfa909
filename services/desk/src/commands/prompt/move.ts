import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { confirm } from '../../confirm.js';
import { addExamples } from '../../global-options.js';
import { idHelp } from '../../ids.js';
import { presentPrompt } from '../../present/prompt.js';
import { required } from '../../present/required.js';
import type { Session } from '../../session.js';
import { confirmOpening } from './confirm-opening.js';
import { findPromptId, type PromptClient } from './find.js';

const moves = [
  {
    name: 'activate',
    description: "open a scheduled prompt; the site's active one is closed in the same step, for good",
    move: 'activatePrompt',
    ask: async (session: Session, prompts: PromptClient, id: string) => {
      const { prompt } = await prompts.getPromptRecord({ id }, session.call());
      const { site, state } = required(prompt);
      if (state === 'PROMPT_STATE_SCHEDULED') await confirmOpening(session, prompts, site);
    },
  },
  {
    name: 'close',
    description: 'close a scheduled or active prompt for good',
    move: 'closePrompt',
    ask: async (session: Session, prompts: PromptClient, id: string) => {
      const { prompt } = await prompts.getPromptRecord({ id }, session.call());
      const { question, state } = presentPrompt(required(prompt));
      if (state !== 'closed') await confirm(session, `Close the ${state} prompt for good: ${question}`);
    },
  },
] as const;

/** `prompt activate` and `prompt close`. */
export function addPromptMoves(parent: Command, act: Act): void {
  for (const { name, description, move, ask } of moves) {
    const command = parent
      .command(name)
      .description(description)
      .argument('<id>', idHelp)
      .action(
        act(async (session, word: string) => {
          const prompts = session.connect('contributions', PromptServiceService);
          const id = await findPromptId(session, prompts, word);
          if (!session.yes) await ask(session, prompts, id);
          const { prompt } = await prompts[move]({ id }, session.call());
          session.print.thing(
            presentPrompt(required(prompt)),
            ({ site, state }) => `Prompt ${id} on ${site} is ${state}.`,
          );
        }),
      );
    addExamples(command, `prompt ${name} ID`);
  }
}
