import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addPromptCorrect } from './correct.js';
import { addPromptCreate } from './create.js';
import { addPromptList } from './list.js';
import { addPromptShow } from './show.js';
import { addPromptTransitions } from './transition.js';

/** Adds the commands `knowledge prompt …`, which editors use. */
export function addPromptCommands(group: Command, handle: CommandHandler): void {
  addPromptCreate(group, handle);
  addPromptCorrect(group, handle);
  addPromptTransitions(group, handle);
  addPromptShow(group, handle);
  addPromptList(group, handle);
  addExamples(
    group,
    'prompt list --site org',
    'prompt create --site org --question "Which rollout did you stop?" --activate',
    'prompt close ID',
  );
}
