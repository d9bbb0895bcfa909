import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addSearchGaps } from './gaps.js';

/** Adds the commands `knowledge search …`, which editors and analysts use. */
export function addSearchCommands(program: Command, handle: CommandHandler): void {
  const group = program.command('search').description('what readers search for');
  addSearchGaps(group, handle);
  addExamples(group, 'search gaps --limit 20');
}
