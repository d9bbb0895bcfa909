import type { Command } from 'commander';
import type { CommandHandler } from '../../command-handler.js';
import { addExamples } from '../../global-options.js';
import { addSynonymDelete } from './delete.js';
import { addSynonymExport } from './export.js';
import { addSynonymImport } from './import.js';
import { addSynonymList } from './list.js';
import { addSynonymPut } from './put.js';

/** Adds the commands `knowledge synonym …`, which editors use. */
export function addSynonymCommands(group: Command, handle: CommandHandler): void {
  addSynonymList(group, handle);
  addSynonymPut(group, handle);
  addSynonymDelete(group, handle);
  addSynonymImport(group, handle);
  addSynonymExport(group, handle);
  addExamples(group, 'synonym list --word SSO', 'synonym put sso SSO "single sign-on"', 'synonym import synonyms.yaml');
}
