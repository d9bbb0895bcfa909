import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addSearchFind } from './find.js';
import { addSearchGaps } from './gaps.js';
import { addSearchMostRead } from './most-read.js';

/** Adds the commands `knowledge search …`: every team finds texts, editors and analysts see what readers search for. */
export function addSearchCommands(group: Command, handle: CommandHandler): void {
  addSearchFind(group, handle);
  addSearchGaps(group, handle);
  addSearchMostRead(group, handle);
  addExamples(group, 'search find single sign-on', 'search gaps --limit 20');
}
