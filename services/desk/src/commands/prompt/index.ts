import type { Command } from 'commander';
import type { Act } from '../../desk.js';
import { addExamples } from '../../global-options.js';
import { addPromptCreate } from './create.js';
import { addPromptList } from './list.js';
import { addPromptMoves } from './move.js';

/** `knowledge prompt …`, for editors. */
export function addPromptCommands(program: Command, act: Act): void {
  const group = program.command('prompt').description('community prompts; at most one is active on a site');
  addPromptCreate(group, act);
  addPromptMoves(group, act);
  addPromptList(group, act);
  addExamples(
    group,
    'prompt list --site org',
    'prompt create --site org --question "Which rollout did you stop?" --activate',
    'prompt close ID',
  );
}
