import { PromptServiceService } from '@knowledge/proto/knowledge/contributions/v1/moderation';
import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { presentPrompt } from '../../present/prompt.js';
import { required } from '../../present/required.js';

const moves = [
  {
    name: 'activate',
    description: "open a scheduled prompt; the site's active one is closed in the same step",
    move: 'activatePrompt',
  },
  { name: 'close', description: 'close a scheduled or active prompt for good', move: 'closePrompt' },
] as const;

/** `prompt activate` and `prompt close`. */
export function addPromptMoves(parent: Command, act: Act): void {
  for (const { name, description, move } of moves) {
    const command = parent
      .command(name)
      .description(description)
      .argument('<id>', 'its UUID')
      .action(
        act(async (session, id: string) => {
          const prompts = session.connect('contributions', PromptServiceService);
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
