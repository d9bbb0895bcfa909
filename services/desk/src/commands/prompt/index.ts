import type { Command } from 'commander';
import type { Act } from '../../act.js';
import { addExamples } from '../../global-options.js';
import { addPromptCorrect } from './correct.js';
import { addPromptCreate } from './create.js';
import { addPromptList } from './list.js';
import { addPromptMoves } from './move.js';
import { addPromptShow } from './show.js';

/** `knowledge prompt …`, for editors. */
export function addPromptCommands(program: Command, act: Act): void {
  const group = program.command('prompt').description('community prompts; at most one is active on a site');
  addPromptCreate(group, act);
  addPromptCorrect(group, act);
  addPromptMoves(group, act);
  addPromptShow(group, act);
  addPromptList(group, act);
  addExamples(
    group,
    'prompt list --site org',
    'prompt create --site org --question "Which rollout did you stop?" --activate',
    'prompt close ID',
  );
}
