import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addGlossDelete } from './delete.js';
import { addGlossImport } from './import.js';
import { addGlossPut } from './put.js';
import { addGlossShow } from './show.js';

/** Adds the commands `knowledge gloss …`, which editors use. */
export function addGlossCommands(group: Command, handle: CommandHandler): void {
  addGlossPut(group, handle);
  addGlossShow(group, handle);
  addGlossDelete(group, handle);
  addGlossImport(group, handle);
  addExamples(
    group,
    'gloss put dyzury-w-zakladzie-produkcyjnym --title "IT on-call duty in a plant with three shifts"',
    'gloss import glosses.yaml --dry-run',
  );
}
